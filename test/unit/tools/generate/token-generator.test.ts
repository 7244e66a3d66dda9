import { crc32 } from "node:zlib";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/generate/token-generator.ts";
import { isKey } from "../../../../src/services/access/key-format.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const list = async (input: Record<string, unknown>): Promise<string[]> =>
  (await runTool(tool, { seed: "s", unsafe: true, ...input })).split("\n");

test.each([
  [{ bytes: 8 }, /^[\da-f]{16}$/],
  [{ bytes: 32, encoding: "base64url" }, /^[\w-]{43}$/],
  [{ bytes: 32, encoding: "base62" }, /^[\dA-Za-z]{43}$/],
  [{ bytes: 16, encoding: "base62", prefix: "ghp_" }, /^ghp_[\dA-Za-z]{22}$/],
  [{ bytes: 8, prefix: "a.b~c-d_", checksum: true }, /^a\.b~c-d_[\da-f]{16}[\dA-Za-z]{6}$/],
])("%j", async (input, grammar) => {
  const tokens = await list({ ...input, count: 500 });
  for (const token of tokens) expect(token).toMatch(grammar);
  expect(new Set(tokens).size).toBe(500);
});

test("appends the CRC-32 of everything before it as checksum, most significant digit first", async () => {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("hex", "base64url", "base62"),
      fc.string({ maxLength: 8 }),
      async (encoding, seed) => {
        const [token = ""] = await list({ encoding, seed, prefix: "x_", checksum: true });
        const digits = token.slice(-6);
        const value = [...digits].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
        expect(value).toBe(crc32(token.slice(0, -6)));
      },
    ),
  );
});

test("generates keys like penknife's own: 190 bits in 32 characters", async () => {
  const [token = ""] = await list({ bytes: 23, encoding: "base62", prefix: "svc_live_", checksum: true });
  expect(token).toHaveLength(46);
  const [longer = ""] = await list({ bytes: 23, encoding: "base62", prefix: "svc_live_0", checksum: true });
  expect(isKey(longer)).toBe(true);
});

test("refuses a seed unless `unsafe` is set", async () => {
  expect(await refusalOf(runTool(tool, { seed: "a" }))).toMatchObject({
    code: "invalid_input",
    pointer: "/seed",
  });
  const first = await runTool(tool, { seed: "a", unsafe: true });
  expect(await runTool(tool, { seed: "a", unsafe: true })).toBe(first);
  expect(await runTool(tool, {})).not.toBe(first);
});

test.each([
  [{ bytes: 7 }, "/bytes"],
  [{ bytes: 1025 }, "/bytes"],
  [{ prefix: "a b" }, "/prefix"],
  [{ prefix: "a\n" }, "/prefix"],
  [{ encoding: "base64" }, "/encoding"],
  [{ count: 1001 }, "/count"],
])("refuses %j at %s", async (input, pointer) => {
  expect(await refusalOf(runTool(tool, input))).toMatchObject({ code: "invalid_input", pointer });
});
