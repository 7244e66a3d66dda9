import { expect, test } from "vitest";
import { isDeeperThan } from "../../../../src/lib/json/nesting.ts";

test.each([
  ["", 0, false],
  ["1", 0, false],
  ["[]", 0, true],
  ["[]", 1, false],
  ['{"a":[{}]}', 2, true],
  ['{"a":[{}]}', 3, false],
  ["[],[],[]", 1, false],
  ['["[[[["]', 1, false],
  ['["\\"[[[[", []]', 2, false],
  ['["\\\\", [[]]]', 2, true],
  ['["[[[[', 1, false],
])("%j is nested deeper than %i levels: %j", (text, most, expected) => {
  expect(isDeeperThan(text, most)).toBe(expected);
});

test("ten million open brackets are refused at the first one beyond the limit", () => {
  expect(isDeeperThan("[".repeat(10_000_000), 512)).toBe(true);
});
