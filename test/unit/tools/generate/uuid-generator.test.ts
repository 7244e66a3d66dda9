import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/generate/uuid-generator.ts";
import { atHand, casesOf, readCorpus } from "../../corpora/corpus.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const list = async (input: Record<string, unknown>): Promise<string[]> =>
  (await runTool(tool, input)).split("\n");

test.each(["1", "3", "4", "5", "6", "7", "8"])(
  "version %s has its version and variant, and all ids are distinct",
  async (version) => {
    const name = version === "3" || version === "5" ? { name: "a" } : {};
    const uuids = await list({ version, count: 500, seed: "s", ...name });
    const grammar = new RegExp(
      `^[\\da-f]{8}-[\\da-f]{4}-${version}[\\da-f]{3}-[89ab][\\da-f]{3}-[\\da-f]{12}$`,
    );
    for (const uuid of uuids) expect(uuid).toMatch(grammar);
    expect(new Set(uuids).size).toBe("name" in name ? 1 : 500);
  },
);

/** RFC 9562, appendix A: the time of A.1, A.5 and A.6 is 2022-02-22T14:22:22.000-05:00. */
test("reads the time of the RFC's examples", async () => {
  const now = "2022-02-22T14:22:22-05:00";
  expect(await runTool(tool, { version: 1, now })).toMatch(/^c232ab00-9414-11ec-/);
  expect(await runTool(tool, { version: 6, now })).toMatch(/^1ec9414c-232a-6b00-/);
  expect(await runTool(tool, { version: 7, now })).toMatch(/^017f22e2-79b0-7/);
});

test.each([
  [{ version: "nil" }, "00000000-0000-0000-0000-000000000000"],
  [{ version: "max" }, "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  [{ version: "max", upper: true }, "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"],
  [
    { version: "nil", count: 2 },
    "00000000-0000-0000-0000-000000000000\n00000000-0000-0000-0000-000000000000",
  ],
  [{ version: 3, name: "www.example.com" }, "5df41881-3aed-3515-88a7-2f4a814cf09e"],
  [{ version: 5, name: "www.example.com", namespace: "dns" }, "2ed6657d-e927-568b-95e1-2665a8aea6a2"],
  [
    { version: 5, name: "www.example.com", namespace: "6BA7B810-9dad-11d1-80b4-00c04fd430c8" },
    "2ed6657d-e927-568b-95e1-2665a8aea6a2",
  ],
])("%j", async (input, result) => {
  expect(await runTool(tool, input)).toBe(result);
});

test.each([
  [{ version: 2 }, "/version"],
  [{ version: "9" }, "/version"],
  [{ version: null }, "/version"],
  [{ version: {} }, "/version"],
  [{ version: 5 }, "/name"],
  [{ version: 4, name: "a" }, "/name"],
  [{ version: 7, namespace: "dns" }, "/namespace"],
  [{ version: 5, name: "a", namespace: "__proto__" }, "/namespace"],
  [{ version: 5, name: "a", namespace: "6ba7b8109dad11d180b400c04fd430c8" }, "/namespace"],
  [{ count: 0 }, "/count"],
  [{ count: 10_001 }, "/count"],
  [{ count: 1.5 }, "/count"],
  [{ now: "yesterday" }, "/now"],
  [{ now: "2026-02-30T00:00:00Z" }, "/now"],
  [{ version: 7, now: "1969-12-31T23:59:59.999Z" }, "/now"],
  [{ version: 1, now: "1582-10-14T23:59:59.999Z" }, "/now"],
  [{ version: 6, now: "5236-03-31T21:21:00.684Z" }, "/now"],
])("%j is refused at %s", async (input, pointer) => {
  expect(await refusalOf(runTool(tool, input))).toMatchObject({ code: "invalid_input", pointer });
});

test("accepts the first and the last time of versions 1 and 6", async () => {
  expect(await runTool(tool, { version: 6, now: "1582-10-15T00:00:00Z" })).toMatch(/^00000000-0000-6000-/);
  expect(await runTool(tool, { version: 6, now: "5236-03-31T21:21:00.683Z" })).toMatch(/^ffffffff-ff/);
});

describe("properties", () => {
  test("versions 7 and 6 are strictly ordered, up to the largest allowed number", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 8 }), fc.constantFrom(6, 7), async (seed, version) => {
        const uuids = await list({ version, count: 10_000, seed });
        const late = uuids.find((uuid, index) => index > 0 && (uuids[index - 1] as string) >= uuid);
        expect(late).toBe(undefined);
      }),
      { numRuns: 10 },
    );
  });

  test("the same seed gives the same id, another seed another one; without a seed the process's random bytes are used", async () => {
    for (const version of [1, 4, 6, 7]) {
      const now = "2026-01-01T00:00:00Z";
      const first = await runTool(tool, { version, seed: "a", now, count: 3 });
      expect(await runTool(tool, { version, seed: "a", now, count: 3 })).toBe(first);
      expect(await runTool(tool, { version, seed: "b", now, count: 3 })).not.toBe(first);
      expect(await runTool(tool, { version, now, count: 3 })).not.toBe(first);
    }
  });
});

test.skipIf(!atHand)(`names of other generators (${casesOf("uuid-ulid")})`, async () => {
  for (const { slug, input, expect: wanted } of readCorpus("uuid-ulid")) {
    if (slug !== "uuid-generate") continue;
    expect(await runTool(tool, input)).toBe(wanted["result"]);
  }
});
