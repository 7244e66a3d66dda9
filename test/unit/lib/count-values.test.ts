import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countMembers, tooMany } from "../../../src/lib/count-values.ts";

const hasMoreValues = (text: Uint8Array, limit: number): boolean => countMembers(text, limit) === tooMany;

test.each([
  ['{"a":[1,2],"b":"[,,{\\",[["}', 4],
  ['"[[[["', 0],
  ['"\\\\",[', 2],
  ["[[[", 3],
  ['"never ends,,,,', 0],
])("%s has %i", (text, count) => {
  const bytes = Buffer.from(text.padEnd(20, " "));
  expect(hasMoreValues(bytes, count)).toBe(false);
  if (count > 0) expect(hasMoreValues(bytes, count - 1)).toBe(true);
});

test("never counts too few", () => {
  const count = (value: unknown): number =>
    1 +
    (typeof value === "object" && value !== null
      ? Object.values(value).reduce((sum: number, one) => sum + count(one), 0)
      : 0);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // The root has no separator before it; an empty container is counted by its bracket.
      expect(hasMoreValues(Buffer.from(JSON.stringify(value)), count(value) * 2)).toBe(false);
      if (count(value) > 2)
        expect(hasMoreValues(Buffer.from(JSON.stringify(value)), count(value) - 2)).toBe(true);
    }),
  );
});

test.each([
  ['{"a":{"b":1,"c":[{"d":1}]},"a":":","\\\\":2}', 3],
  ["{}", 0],
  ['[{"a":1}]', 0],
  ['"a:b"', 0],
])("%s begins with an object of %i members", (text, members) => {
  expect(countMembers(Buffer.from(text), 100)).toBe(members);
});
