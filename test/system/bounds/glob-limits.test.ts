import { expect, test } from "vitest";
import { createIgnoreRules } from "../../../src/lib/glob/git.ts";
import { createPathSet } from "../../../src/lib/glob/path-set.ts";

test("patterns that are too long together are refused before they are compiled", () => {
  const ranges = "{1..999}".repeat(100);
  expect(() => createPathSet(Array.from({ length: 50 }, () => ranges))).toThrow(/too many or too long/);
  expect(() => createIgnoreRules(`${"x".repeat(2000)}\n`.repeat(2000))).toThrow(/too long together/);
});
