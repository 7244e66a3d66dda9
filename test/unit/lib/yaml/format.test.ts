import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findMovedComment, findUnsortedComment } from "../../../../src/lib/yaml/edit/same-comments.ts";
import { findChange } from "../../../../src/lib/yaml/edit/same-data.ts";
import { DocumentFault } from "../../../../src/lib/fault.ts";
import { formatYaml, type YamlFormat } from "../../../../src/lib/yaml/format.ts";
import { parseYaml } from "../../../../src/lib/yaml/parse.ts";
import { anyYaml } from "./any-yaml.ts";
import { read, yaml } from "./edit/read.ts";
import { plain } from "./plain-format.ts";

const anyFormat: fc.Arbitrary<YamlFormat> = fc.record({
  indent: fc.integer({ min: 1, max: 10 }),
  lineWidth: fc.constantFrom(0, 0, 20, 60),
  bracketSpacing: fc.boolean(),
  quotes: fc.constantFrom("preserve", "double", "single"),
  sequences: fc.constantFrom("indented", "flush"),
  blankLines: fc.integer({ min: 0, max: 2 }),
  sortKeys: fc.boolean(),
});

test("whatever is YAML is formatted, and is the same when it is formatted again", () => {
  let formatted = 0;
  fc.assert(
    fc.property(anyYaml, anyFormat, (text, format) => {
      if (parseYaml(yaml, text).faults.length > 0) return;
      // A blank line that comes behind such text would be a part of it: sorting is refused.
      if (format.sortKeys && text.includes("|+")) return;
      // The check of the result is in it: it throws if data or a comment would change.
      const once = formatYaml(yaml, text, format);
      expect(formatYaml(yaml, once, format)).toBe(once);
      formatted++;
    }),
    { numRuns: 600 },
  );
  expect(formatted).toBeGreaterThan(300);
});

describe("the check of the result finds", () => {
  test.each([
    ["a comment on another line", "a: 1 # c\n", "a: 1\n# c\n", 5],
    ["one that is no longer on its own", "a: 1\n# c\n", "a: 1 # c\n", 5],
    ["one at another key", "a: 1\n# c\nb: 1\n", "# c\na: 1\nb: 1\n", 0],
    ["one at another level", "a:\n  b: 1\n# c\nd: 1\n", "a:\n  b: 1\n  # c\nd: 1\n", 10],
    ["one of another text", "a: 1 # c\n", "a: 1 # d\n", 5],
    ["one that is missing", "a: 1\n# c\n", "a: 1\n", 5],
    ["a new one", "a: 1\n", "a: 1\n# c\n", 3],
  ])("%s", (_, before, after, index) => {
    expect(findMovedComment(read(before), read(after), plain)).toBe(index);
    expect(findMovedComment(read(before), read(before), plain)).toBeUndefined();
  });

  test.each([
    ["another number of documents", "a\n", "a\n---\nb\n", 0],
    ["another value", "a: [1, 2]\n", "a: [1, 3]\n", 7],
    ["another type", "a: '1'\n", "a: 1\n", 3],
    ["another tag", "a: !t x\n", "a: x\n", 6],
    ["another anchor", "a: &b x\n", "a: &c x\n", 6],
    ["another collection", "a: [x]\n", "a: {x: }\n", 3],
  ])("%s", (_, before, after, index) => {
    const documentsOf = (text: string) => parseYaml(yaml, text).documents;
    expect(findChange(yaml, documentsOf(before), documentsOf(after), false)).toBe(index);
    expect(findChange(yaml, documentsOf(before), documentsOf(before), false)).toBeUndefined();
  });

  test("a blank line that becomes text when keys are sorted", () => {
    const text = "b:\n  b: |+\n    x\n  a: 1\n\n# c\nc: 2\n";
    expect(() => formatYaml(yaml, text, { ...plain, sortKeys: true })).toThrow("do not set sortKeys");
  });

  test("an alias that repeats another node after sorting", () => {
    const text = "b: &x 1\na: &x 2\nc: *x\n";
    expect(() => formatYaml(yaml, text, { ...plain, sortKeys: true })).toThrow("do not set sortKeys");
  });

  test.each([
    ["a comment above another key", "b: 1\n# a\na: 1\n", "# a\nb: 1\na: 1\n", 5],
    ["a comment behind another value", "b: 1 # b\na: 2\n", "a: 2 # b\nb: 1\n", 5],
  ])("%s", (_, before, after, index) => {
    expect(findUnsortedComment(read(before), read(after))).toBe(index);
  });
});

describe("sorted keys take along", () => {
  test.each([
    ["comments above and behind", "b: 1 # b\n# a1\n# a2\na: 2 # a\n", "# a1\n# a2\na: 2 # a\nb: 1 # b\n"],
    ["deeper comments", "b: []\n  # - b\na: 1\n", "a: 1\nb: []\n  # - b\n"],
    [
      "a description of helm-docs",
      "b: 1\n\n# -- A list\n# @schema\n# type: array\n# @schema\na: []\n  # - x\n",
      "# -- A list\n# @schema\n# type: array\n# @schema\na: []\n  # - x\nb: 1\n",
    ],
    ["blank lines", "c: 1\n\nb: 2\n\n\na: 3\n", "a: 3\n\nb: 2\nc: 1\n"],
    [
      "nested keys",
      "- c:\n    f: 1\n    # e\n    e: 2\n  # b\n  b: {h: 1, g: 2}\n",
      "-\n  # b\n  b: {g: 2, h: 1}\n  c:\n    # e\n    e: 2\n    f: 1\n",
    ],
    [
      "comments in braces",
      "{\n  b: 1, # b\n  # a\n  a: 2 # x\n}\n",
      "{\n  # a\n  a: 2, # x\n  b: 1, # b\n}\n",
    ],
  ])("%s", (_, text, result) => {
    expect(formatYaml(yaml, text, { ...plain, sortKeys: true })).toBe(result);
  });

  test.each([
    ["a header", "# header\n\nb: 1\na: 2\n", "# header\n\na: 2\nb: 1\n"],
    [
      "a modeline",
      "# yaml-language-server: $schema=x\nb: 1\na: 2\n",
      "# yaml-language-server: $schema=x\na: 2\nb: 1\n",
    ],
    ["the end of a map", "x:\n  b: 1\n  a: 2\n  # end\n", "x:\n  a: 2\n  b: 1\n  # end\n"],
    ["a comment of a dash", "- # c\n  b: 1\n  a: 2\n", "- # c\n  a: 2\n  b: 1\n"],
    ["text that would take a blank line", "c: 1\n\nb: 2\na: |+\n  x\n", "a: |+\n  x\nb: 2\nc: 1\n"],
  ])("but not %s", (_, text, result) => {
    expect(formatYaml(yaml, text, { ...plain, sortKeys: true })).toBe(result);
  });
});

describe("templates", () => {
  test("are kept in values", () => {
    expect(formatYaml(yaml, "a:   {{ x }} # c\nb: [{{y}},  '{% z %}']\n", plain)).toBe(
      "a: {{ x }} # c\nb: [{{y}}, '{% z %}']\n",
    );
  });

  test.each(["{{- if .Values.x }}\na: 1\n{{- end }}\n", "a: {{ x }}{{ y }}\n", "{% if x %}\na: 1\n"])(
    "%j is refused for what it is",
    (text) => {
      expect(() => formatYaml(yaml, text, plain)).toThrow(/; this looks like a template, so format/);
      expect(() => formatYaml(yaml, text, plain)).toThrow(DocumentFault);
    },
  );

  test("a fault without a template is named alone", () => {
    expect(() => formatYaml(yaml, "# {{ x }}\na: [1\n", plain)).toThrow(/^(?!.*template)/);
  });
});
