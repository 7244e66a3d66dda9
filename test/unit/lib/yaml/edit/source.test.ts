import { expect, test } from "vitest";
import { applyEdits } from "../../../../../src/lib/edit/replace.ts";
import { type Level, type Piece, readSource } from "../../../../../src/lib/yaml/edit/source.ts";
import { read } from "./read.ts";

const describe = (text: string): string[] => {
  const { pieces } = read(text);
  return pieces.map(
    ({ type, from, to, level, role, lines, column }) =>
      `${lines} ${column} ${type} ${JSON.stringify(text.slice(from, to))} in ${level.kind}, ${role}`,
  );
};

test("lists every piece with its place, and the collection that it is in", () => {
  expect(
    describe("%YAML 1.2\n---\n# c  \nk:  &x [a,{b : 1}] # t\n---\n\n- >+2  # h\n    x\n\n...\n"),
  ).toEqual([
    '1 0 directive "%YAML 1.2" in document, marker',
    '1 0 doc-start "---" in document, marker',
    '1 0 comment "# c" in document, value',
    '1 0 scalar "k" in map, entry',
    '0 1 map-value-ind ":" in map, entry',
    '0 4 anchor "&x" in map, value',
    '0 7 flow-seq-start "[" in flow-seq, value',
    '0 8 scalar "a" in flow-seq, value',
    '0 9 comma "," in flow-seq, value',
    '0 10 flow-map-start "{" in flow-map, value',
    '0 11 scalar "b" in flow-map, value',
    '0 13 map-value-ind ":" in flow-map, value',
    '0 15 scalar "1" in flow-map, value',
    '0 16 flow-map-end "}" in flow-map, value',
    '0 17 flow-seq-end "]" in flow-seq, value',
    '0 19 comment "# t" in map, value',
    '1 0 doc-start "---" in document, marker',
    '2 0 seq-item-ind "-" in seq, entry',
    '0 2 block-scalar-header ">+2" in seq, value',
    '0 7 comment "# h" in seq, value',
    '1 0 block-scalar "    x\\n" in seq, value',
    '1 0 doc-end "..." in document, marker',
  ]);
});

test("a map lists its entries without the comments around them", () => {
  const source = read("# above\na: 1 # behind\n\n# b\nb:\n  - x\n  # end\n{c: 1, d}: {e, }\n");
  const maps = new Set<Level>();
  for (const { level } of source.pieces)
    for (let at: Level | undefined = level; at; at = at.parent) maps.add(at);
  const textOf = (piece: Piece | undefined): string => source.text.slice(piece?.from, piece?.to);
  const entries = [...maps].flatMap(({ kind, entries: found }) =>
    found.map(
      ({ first, end }) => `${kind}: ${textOf(source.pieces[first])} to ${textOf(source.pieces[end - 1])}`,
    ),
  );
  expect(entries).toEqual([
    "map: a to 1",
    "map: b to x",
    "map: { to }",
    "seq: - to x",
    "flow-map: c to 1",
    "flow-map: d to d",
    "flow-map: e to e",
  ]);
});

test("a placeholder of a template is one piece", () => {
  expect(
    describe("a: {{ x }}\nb: [{{ y | z }}]\n{{ k }}: {{\n  d }}\n").map((line) => line.split(" in ")[0]),
  ).toEqual([
    '1 0 scalar "a"',
    '0 1 map-value-ind ":"',
    '0 3 template "{{ x }}"',
    '1 0 scalar "b"',
    '0 1 map-value-ind ":"',
    '0 3 flow-seq-start "["',
    '0 4 template "{{ y | z }}"',
    '0 15 flow-seq-end "]"',
    '1 0 template "{{ k }}"',
    '0 7 map-value-ind ":"',
    '0 9 flow-map-start "{"',
    '0 10 flow-map-start "{"',
    '1 2 scalar "d"',
    '0 4 flow-map-end "}"',
    '0 5 flow-map-end "}"',
  ]);
});

test("skips a byte order mark at the start, and refuses tokens in another order", () => {
  expect(read("\ufeffa: 1").start).toBe(1);
  const token = (offset: number) => ({ type: "comment", offset, indent: 0, source: "#" }) as const;
  expect(readSource("# #", [token(2), token(0)])).toBeUndefined();
  expect(readSource("# x", [token(0)])).toBeUndefined();
});

test("edits replace ranges in text order", () => {
  expect(applyEdits("abcd", [])).toBe("abcd");
  const edits = [
    { from: 0, to: 0, text: "<" },
    { from: 1, to: 3, text: "-" },
    { from: 4, to: 4, text: ">" },
  ];
  expect(applyEdits("abcd", edits)).toBe("<a-d>");
  expect(() =>
    applyEdits("abcd", [
      { from: 2, to: 3, text: "" },
      { from: 2, to: 2, text: "" },
    ]),
  ).toThrow("2 to 2");
  expect(() => applyEdits("abcd", [{ from: 4, to: 5, text: "" }])).toThrow("4 to 5");
});
