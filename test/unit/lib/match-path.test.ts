import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createPathMatcher } from "../../../src/lib/glob/match-path.ts";
import { parseGlob } from "../../../src/lib/glob/parse.ts";
import { createMatcher } from "../../../src/lib/glob/glob-set.ts";

const parts = [
  "a",
  "b",
  ".",
  "*",
  "?",
  "**",
  "/",
  "/**/",
  "**/",
  "[ab]",
  "{a,b}",
  "{.a,b/c}",
  "@(a|b)",
  "\\*",
  "+",
];
const globs = fc
  .array(fc.constantFrom(...parts, ".json"), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(""));
const paths = fc
  .array(fc.constantFrom("a", "b", ".a", "a.json", ".json", "ab", "*", "c", "+"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((names) => names.join("/"));

test("matches what the steps of the pattern match, which it seldom follows", () => {
  fc.assert(
    fc.property(globs, fc.array(paths, { minLength: 1, maxLength: 8 }), (glob, list) => {
      const slow = createMatcher(parseGlob(glob, { dot: true, groups: true, classes: true }));
      const fast = createPathMatcher(glob);
      for (const path of list) expect([glob, path, fast(path)]).toEqual([glob, path, slow(path)]);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["**/*.json", ["a.json", "x/.json", "x/y/a.b.json"], ["a.jsonx", "json"]],
  ["**/package.json", ["package.json", "a/package.json"], ["apackage.json", "package.json/a"]],
  ["src/**", ["src/a", "src/a/b"], ["src", "src/", "asrc/a"]],
  ["a.json", ["a.json"], ["b/a.json"]],
  ["**", ["a", "a/b"], []],
])("%s", (glob, yes, no) => {
  const matches = createPathMatcher(glob);
  expect(yes.filter((path) => !matches(path))).toEqual([]);
  expect(no.filter((path) => matches(path))).toEqual([]);
});
