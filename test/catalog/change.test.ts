import { expect, test } from "vitest";
import { toChangeReport } from "../../src/catalog/execute.ts";

const report = (before: string, after: string) =>
  toChangeReport("any-formatter", Buffer.from(before), Buffer.from(after));

test.each([
  ["ab", "ac", 1, 1, 2],
  // The two characters share the first of their two bytes, then the first three of their four.
  ["xé", "xè", 1, 1, 2],
  ["\n👋", "\n👌", 1, 2, 1],
  ["é", "è", 0, 1, 1],
  ["abc", "ab", 2, 1, 3],
  ["ab", "abc", 2, 1, 3],
])("%j to %j differs from the start of a character: byte %i", (before, after, offset, line, column) => {
  expect(report(before, after)).toMatchObject({
    valid: false,
    errors: [{ offset, line, column, rule: "any-formatter", severity: "error" }],
  });
});

test.each([
  ["a", "a"],
  ["a\n", "a"],
  ["a\r\n", "a"],
])("%j to %j is unchanged", (before, after) => {
  expect(report(before, after)).toEqual({ valid: true, errors: [] });
});
