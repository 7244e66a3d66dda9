import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/crypto/hmac-generator.ts";
import { digests } from "../../../../src/lib/digests.ts";
import { refusalOf, runRaw, runTool } from "../run-tool.ts";

/** RFC 2202 §2 and §3, RFC 4231 §4. */
test.each([
  ["md5", "0b".repeat(16), "Hi There", "9294727a3638bb1c13f48ef8158bfc9d"],
  ["sha1", "4a656665", "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"],
  ["sha224", "0b".repeat(20), "Hi There", "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22"],
  [
    "sha256",
    "aa".repeat(131),
    "Test Using Larger Than Block-Size Key - Hash Key First",
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  ],
  [
    "sha384",
    "4a656665",
    "what do ya want for nothing?",
    "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
  ],
])("%s under the key %s", async (algorithm, key, data, code) => {
  expect(await runTool(tool, { data, key, keyEncoding: "hex", algorithm })).toBe(code);
});

test("a key beyond ASCII is encoded as UTF-8, and its line end counts", async () => {
  const key = "schlüssel\n";
  expect(await runTool(tool, { data: "é\r\n", key })).toBe(
    createHmac("sha256", key).update("é\r\n").digest("hex"),
  );
});

test("an empty key is accepted", async () => {
  expect(await runTool(tool, { data: "", key: "" })).toBe(
    "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad",
  );
});

test("the same bytes and key have the same code in every encoding", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom(...digests),
      async (bytes, key, algorithm) => {
        const code = createHmac(algorithm, key).update(bytes).digest("hex");
        const hex = {
          data: bytes.toHex(),
          dataEncoding: "hex",
          key: key.toHex(),
          keyEncoding: "hex",
          algorithm,
        };
        expect(await runTool(tool, hex)).toBe(code);
        const base64 = { data: bytes.toBase64(), dataEncoding: "base64", key: key.toBase64(), algorithm };
        expect(await runTool(tool, { ...base64, keyEncoding: "base64" })).toBe(code);
        const raw = await runRaw(tool, bytes, { key: key.toHex(), keyEncoding: "hex", algorithm });
        expect(raw.toString()).toBe(code);
      },
    ),
  );
});

test.each([
  [{ key: "abc", keyEncoding: "hex" }, "/key"],
  [{ key: "s3cret!", keyEncoding: "base64" }, "/key"],
  [{ key: "a", algorithm: "shake128" }, "/algorithm"],
  [{}, "/key"],
])("%j is refused without repeating the key", async (input, pointer) => {
  const refusal = await refusalOf(runTool(tool, { data: "", ...input }));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer });
  expect(refusal.message).not.toContain("s3cret");
});
