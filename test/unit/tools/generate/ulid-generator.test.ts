import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/generate/ulid-generator.ts";
import { drawUlids } from "../../../../src/lib/random/ulid.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const list = async (input: Record<string, unknown>): Promise<string[]> =>
  (await runTool(tool, input)).split("\n");

/** The specification's own example: 01ARYZ6S41 is 1469918176385. */
test.each([
  ["2016-07-30T22:36:16.385Z", "01ARYZ6S41"],
  ["1970-01-01T00:00:00Z", "0000000000"],
  ["1970-01-01T01:00:00.031+01:00", "000000000Z"],
  ["9999-12-31T23:59:59.999Z", "76EZ91ZPZZ"],
])("%s begins with %s", async (now, start) => {
  const [ulid = ""] = await list({ now });
  expect(ulid).toMatch(/^[0-7][\dA-HJKMNP-TV-Z]{25}$/);
  expect(ulid.slice(0, 10)).toBe(start);
});

test("the largest allowed number of ids is strictly ordered", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 8 }), async (seed) => {
      const ulids = await list({ count: 10_000, seed });
      expect(ulids.find((ulid, index) => index > 0 && (ulids[index - 1] as string) >= ulid)).toBe(undefined);
    }),
    { numRuns: 5 },
  );
});

test("random bits that overflow carry into the time", () => {
  const full = (size: number): Uint8Array => new Uint8Array(size).fill(0xff);
  expect(drawUlids(2, 31, full)).toEqual(["000000000ZZZZZZZZZZZZZZZZZ", "00000000100000000000000000"]);
});

test("the same seed and time give the same id; without a seed the process's random bytes are used", async () => {
  const now = "2026-01-01T00:00:00Z";
  const first = await runTool(tool, { seed: "a", now });
  expect(await runTool(tool, { seed: "a", now })).toBe(first);
  expect(await runTool(tool, { seed: "b", now })).not.toBe(first);
  expect(await runTool(tool, { now })).not.toBe(first);
});

test.each([
  [{ now: "1969-12-31T23:59:59.999Z" }, "/now"],
  [{ now: "2026-02-30T00:00:00Z" }, "/now"],
  [{ count: 0 }, "/count"],
  [{ count: 10_001 }, "/count"],
])("%j is refused at %s", async (input, pointer) => {
  expect(await refusalOf(runTool(tool, input))).toMatchObject({ code: "invalid_input", pointer });
});
