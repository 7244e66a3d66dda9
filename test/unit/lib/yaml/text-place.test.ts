import { expect, test } from "vitest";
import { createTextPlaces, textPlace } from "../../../../src/lib/yaml/text-place.ts";
import { createLineOf, lineOf } from "../../../../src/lib/lines.ts";

const block = `a: |\n${"    one  two\n\n    three\n".repeat(600)}b: 1\n`;
const text = `${"one  two\n\nthree\n".repeat(600)}`;

test("places are the same in any order, and those of the characters", () => {
  const placeOf = createTextPlaces(block, block.indexOf("|"), text);
  const indexes = [0, 1, 5, 8000, 7999, 12, 9000, 3, 8500, text.length - 2, 0];
  expect(indexes.map(placeOf)).toEqual(
    indexes.map((index) => textPlace(block, block.indexOf("|"), text, index)),
  );
  for (const index of indexes)
    if (/\S/.test(text[index] ?? "")) expect(block[placeOf(index)]).toBe(text[index]);
});

test.each([
  ["double quotes with escapes", 'k: "a\\u0062 \\x63\\td"', "ab c\td", ["a", "\\u0062", "\\x63", "d"]],
  ["single quotes", "k: 'it''s  x'", "it's  x", ["i", "t", "''s", "x"]],
  ["a folded text", "k: >\n  a b\n  c\n", "a b c\n", ["a", "b", "c"]],
])("%s", (_, document, value, found) => {
  const from = document.search(/["'>]/);
  const placeOf = createTextPlaces(document, from, value);
  for (const part of found) {
    const letter = { "\\u0062": "b", "\\x63": "c", "''s": "'" }[part] ?? part;
    expect([part, document.slice(placeOf(value.indexOf(letter))).startsWith(part)]).toEqual([part, true]);
  }
});

test("lines are those of a search from the start", () => {
  const lines = "a\n\nb\r\nc";
  const of = createLineOf(lines);
  for (let index = 0; index <= lines.length; index++) expect(of(index)).toBe(lineOf(lines, index));
});
