import { describe, expect, test } from "vitest";
import { applyEdits } from "../../../../../src/lib/edit/replace.ts";
import { layOut, type YamlLayout } from "../../../../../src/lib/yaml/edit/layout.ts";
import { plain } from "../plain-format.ts";
import { read } from "./read.ts";

const format = (text: string, layout: Partial<YamlLayout> = {}): string =>
  applyEdits(text, layOut(read(text), { ...plain, ...layout }));

describe("comments", () => {
  test.each([
    ["at the column of the next key", "on:\n  x:\n\n# about b\nb: {}\n", "on:\n  x:\n\n# about b\nb: {}\n"],
    [
      "at the column of an open level",
      "a:\n    b:\n        c: 1\n    # end\nd: 2\n",
      "a:\n  b:\n    c: 1\n  # end\nd: 2\n",
    ],
    ["between two levels", "a:\n    b: 1\n  # c\nd: 1\n", "a:\n  b: 1\n # c\nd: 1\n"],
    [
      "below an empty value",
      "a:\n    b: []\n        # - x\n        #   - y\n    c: {}\n",
      "a:\n  b: []\n    # - x\n    #   - y\n  c: {}\n",
    ],
    [
      "with lines that belong together",
      "a:\n    # b:\n      # c\n    d: 1\n",
      "a:\n  # b:\n    # c\n  d: 1\n",
    ],
    [
      "before a list at the column of its key",
      "a:\n# c\n- b\n# d\n- e\n# f\ng: 1\n",
      "a:\n  # c\n  - b\n  # d\n  - e\n# f\ng: 1\n",
    ],
    [
      "that are an item, behind such a list",
      "x:\n  a:\n  - b\n  # - c\ny: 1\n",
      "x:\n  a:\n    - b\n    # - c\ny: 1\n",
    ],
    [
      "that are no item, behind such a list",
      "x:\n  a:\n  - b\n  # c\ny: 1\n",
      "x:\n  a:\n    - b\n  # c\ny: 1\n",
    ],
    ["behind a block scalar", "a: |\n     x\n   # c\nb: 1\n", "a: |\n  x\n # c\nb: 1\n"],
    ["behind a dash", "-   # c\n    a: 1\n-\n    # d\n    b: 1\n", "-   # c\n  a: 1\n-\n  # d\n  b: 1\n"],
    [
      "between a key and its value",
      "a: # c\n    'x'\nb:\n    # d\n    y\n",
      "a: # c\n  'x'\nb:\n  # d\n  y\n",
    ],
    ["before an indented document", "# c\n  # d\n  a: 1\n", "# c\n# d\na: 1\n"],
    ["without a document", "  # a\n\n\n# b   \n", "# a\n\n# b\n"],
    [
      "in a flow collection",
      "a: [\n      # c\n      1,\n      2, # d\n      # e\n    ]\n",
      "a: [\n    # c\n    1,\n    2, # d\n    # e\n  ]\n",
    ],
    [
      "around the marks of documents",
      "# a\n---   # b\nc: 1\n# d\n...   # e\n# f\n",
      "# a\n---   # b\nc: 1\n# d\n...   # e\n# f\n",
    ],
  ])("%s", (_, text, result) => {
    expect(format(text)).toBe(result);
    expect(format(result)).toBe(result);
  });

  test("keep the spaces before them, and lose those behind them", () => {
    expect(format("a:  1   # x  \nbb: 2\t# y\t\n")).toBe("a: 1   # x\nbb: 2 # y\n");
  });
});

describe("lines", () => {
  test.each([
    ["a short value moves up to its key", "a:\n    b\nc:\n\n  [1,2]\nd:\n  *x\n", "a: b\nc: [1, 2]\nd: *x\n"],
    ["a long one does not", `a:\n    ${"b".repeat(80)}\n`, `a:\n  ${"b".repeat(80)}\n`],
    [
      "anchors and tags keep their lines",
      "a: &x\n    b: 1\nc:\n    !t\n    - d\n*x : 1\n",
      "a: &x\n  b: 1\nc:\n  !t\n  - d\n*x : 1\n",
    ],
    [
      "what follows a dash moves up to it",
      "-\n\n    a: 1\n-\n  - b\n  - - c\n    -   d\n",
      "- a: 1\n- - b\n  - - c\n    - d\n",
    ],
    [
      "a flow collection keeps its lines",
      "a: [x,\n y,]\nb: {\n  c:\n   {d: 1, },\n}\n",
      "a: [x,\n  y]\nb: {\n  c:\n    {d: 1},\n}\n",
    ],
    ["a key with ? keeps it", "?   a\n:   - b\n?   [c]\n", "? a\n: - b\n? [c]\n"],
    ["text in quotes keeps what is escaped", 'a: "x\\  \n    y\\\n     z"\n', 'a: "x\\ \n  y\\\n  z"\n'],
    ["no-break spaces are text", "a: x\u00a0\n   \u00a0y\n", "a: x\u00a0\n  \u00a0y\n"],
    [
      "a block scalar with an indicator",
      "- a:\n    - |2\n       x\n      y\n",
      "- a:\n    - |2\n       x\n      y\n",
    ],
    [
      "blank lines of a block scalar have no spaces",
      "a: |\n    x\n    \n      \n    y\n",
      "a: |\n  x\n\n    \n  y\n",
    ],
    ["text that looks like a mark of documents", "a\n   --- b\n", "a\n --- b\n"],
    ["a byte order mark stays", "\ufeff\n a:  1", "\ufeffa: 1\n"],
  ])("%s", (_, text, result) => {
    expect(format(text)).toBe(result);
    expect(format(result)).toBe(result);
  });
});

describe("options", () => {
  test.each([
    [
      "sequences",
      "a:\n  - b:\n      - 1\n  # c\nd: 1\n",
      { sequences: "flush" },
      "a:\n- b:\n  - 1\n# c\nd: 1\n",
    ],
    ["blankLines", "a: 1\n\n\n\nb:\n\n  c: 1\n", { blankLines: 2 }, "a: 1\n\n\nb:\n\n  c: 1\n"],
    ["blankLines", "a: 1\n\n\n# c\n\nb: 1\n", { blankLines: 0 }, "a: 1\n# c\nb: 1\n"],
    [
      "quotes",
      "['a', 'it''s', 'b\"', 'c\\', \"d\"]\n",
      { quotes: "double" },
      '["a", "it\'s", \'b"\', \'c\\\', "d"]\n',
    ],
    [
      "quotes",
      '["a", "it\'s", "b\\n", "c\n d"]\n',
      { quotes: "single" },
      "['a', \"it's\", \"b\\n\", 'c\n  d']\n",
    ],
    [
      "indent",
      "a:\n  - b:\n     c: >1\n        d\n",
      { indent: 4 },
      "a:\n    - b:\n          c: >4\n                d\n",
    ],
    [
      "lineWidth",
      "a: [bbbb, {cccc: dddd}, [e]]\nf: [g]\n",
      { lineWidth: 16 },
      "a: [\n    bbbb,\n    {cccc: dddd},\n    [e]\n  ]\nf: [g]\n",
    ],
    [
      "lineWidth",
      "a: one two three\n  four\n\n  five\n",
      { lineWidth: 12 },
      "a: one two\n  three four\n\n  five\n",
    ],
    [
      "lineWidth",
      "a: >-\n  one two three\n  four\n\n   five six seven\n",
      { lineWidth: 12 },
      "a: >-\n  one two\n  three four\n\n   five six seven\n",
    ],
    ["lineWidth", "a: [\n  b,\n]\n", { lineWidth: 80 }, "a: [b]\n"],
  ] as const)("%s: %j", (_, text, layout, result) => {
    expect(format(text, layout)).toBe(result);
    expect(format(result, layout)).toBe(result);
  });
});

test("an edit begins where the source and the result differ", () => {
  const text = "a:   1 # c\nb: 'x'\n";
  expect(layOut(read(text), plain)).toEqual([{ from: 2, to: 5, text: " " }]);
  expect(layOut(read("a: 1\n"), plain)).toEqual([]);
});
