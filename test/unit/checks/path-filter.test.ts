import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExclusion, createFileFilter, createFilters } from "../../../src/checks/path-filter.ts";

const paths = ["a.json", "b.json", "vendor/a.json", "vendor/deep/keep.json", "x/vendor/a.json", ".env"];

describe("the patterns of a check", () => {
  test.each<[string[], string[]]>([
    [["*.json"], ["a.json", "b.json"]],
    [
      ["**/*.json", "!vendor/"],
      ["a.json", "b.json", "x/vendor/a.json"],
    ],
    // The last pattern that matches decides.
    [
      ["**/*.json", "!vendor/", "vendor/deep/*"],
      ["a.json", "b.json", "vendor/deep/keep.json", "x/vendor/a.json"],
    ],
    [["!a.json"], []],
    [["vendor/"], ["vendor/a.json", "vendor/deep/keep.json"]],
    [["vendor"], []],
    [
      ["./a.json", "/b.json"],
      ["a.json", "b.json"],
    ],
    [["**"], paths],
    [["\\!a.json"], []],
    [["!(a).json"], []],
    [["./!(a).json"], ["b.json"]],
    [["!(vendor)/**"], []],
    [
      ["**/!(a).json", "!(vendor)/**"],
      ["b.json", "vendor/deep/keep.json"],
    ],
  ])("%j", (patterns, selected) => {
    expect(paths.filter(createFileFilter(patterns))).toEqual(selected);
  });
});

describe("an exclusion", () => {
  test.each<[string[], string[]]>([
    [[], []],
    [["vendor"], ["vendor/a.json", "vendor/deep/keep.json"]],
    [["vendor/"], ["vendor/a.json", "vendor/deep/keep.json"]],
    [["**/vendor"], ["vendor/a.json", "vendor/deep/keep.json", "x/vendor/a.json"]],
    [["vendor", "!vendor/deep"], ["vendor/a.json"]],
    [["vendor", "!vendor/deep/keep.json"], ["vendor/a.json"]],
    [
      ["!vendor", "*.json"],
      ["a.json", "b.json"],
    ],
  ])("%j", (patterns, excluded) => {
    expect(paths.filter(createExclusion(patterns))).toEqual(excluded);
  });
});

test.each([
  ["", "The pattern is empty."],
  ["!", "The pattern is empty."],
  ["../a", "A pattern cannot leave the folder of the file with ..."],
  ["a/../../b", "A pattern cannot leave the folder of the file with ..."],
  ["[z-a]", "The range ends before it begins."],
  ["a/{1..99999}", "A range can have at most 1000 numbers."],
])("refuses %j", (pattern, message) => {
  expect(() => createFileFilter([pattern])).toThrow(message);
  expect(() => createExclusion([pattern])).toThrow(message);
});

test("many filters together select what each of them selects alone", () => {
  const patterns = fc.constantFrom(
    "*.json",
    "**/*.json",
    "vendor/",
    "vendor",
    "!vendor",
    "!vendor/deep",
    "**/vendor",
    "x/*/a*",
    "!**/a.*",
    "**",
  );
  const filters = fc.record({
    files: fc.array(patterns, { minLength: 1, maxLength: 4 }),
    exclude: fc.array(patterns, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(filters, { maxLength: 12 }), (many) => {
      const together = createFilters(many);
      const alone = many.map(({ files, exclude }) => {
        const [selects, excludes] = [createFileFilter(files), createExclusion(exclude)];
        return (path: string) => selects(path) && !excludes(path);
      });
      for (const path of [...paths, ...paths.toReversed()])
        expect(together(path)).toEqual([...alone.keys()].filter((index) => alone[index]?.(path)));
    }),
    { numRuns: 300 },
  );
});
