import { expect, test } from "vitest";
import { toDelimiter } from "../../../../src/lib/csv/dialect.ts";

const columns = (count: number, delimiter: string): string => Array(count).fill("x").join(delimiter);

test.each([
  ["splits every record evenly", "a;b,c,d\n1;2\n", ";"],
  ["makes more columns, if several are even", "a,b;c;d\n1,2;3;4\n", ";"],
  ["splits at all, even if unevenly", "a;b\nc\nd\n", ";"],
  ["is the first candidate, if none splits", "a\nb\n", ","],
  ["is first in order, if several are equal", "a,b;c\n1,2;3\n", ","],
  // From a thousand columns on, width no longer outweighs evenness.
  [
    "is even, beside an uneven one with more than a thousand columns",
    `${columns(1200, ";")}|${columns(1800, "|")}\n${columns(1200, ";")}\n`,
    ";",
  ],
])("the delimiter found is the one that %s", (_, text, delimiter) => {
  expect(toDelimiter("auto", text)).toBe(delimiter);
});

test("uses a named delimiter without reading the text", () => {
  expect(["tab", "\\t", ";"].map((name) => toDelimiter(name, "a,b\n1,2\n"))).toEqual(["\t", "\t", ";"]);
});
