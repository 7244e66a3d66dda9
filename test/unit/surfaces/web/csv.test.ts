import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lexCsv } from "../../../../src/lib/csv/lex.ts";
import { toCsv } from "../../../../src/surfaces/web/page/settings/csv.ts";
import { anyCharacter } from "../../../support/any-character.ts";

function read(text: string): string[][] {
  const rows: string[][] = [];
  const dialect = { delimiter: ",", quote: '"', comment: "", quotes: "strict" } as const;
  lexCsv(text, dialect, { onRecord: ({ fields }) => void rows.push(fields) });
  return rows;
}

test.each([
  ["ci", "ci"],
  ["a, b", '"a, b"'],
  ['the "new" one', '"the ""new"" one"'],
  ["two\nlines", '"two\nlines"'],
  ['=HYPERLINK("http://evil.example","x")', '"\'=HYPERLINK(""http://evil.example"",""x"")"'],
  ["+1", "'+1"],
  ["-1+1", "'-1+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", '"\'\r=1"'],
  ["\n=1", '"\'\n=1"'],
  ["a=1", "a=1"],
  ["", ""],
  [-1, "-1"],
  [1_000_000, "1000000"],
])("%j is written as %j", (value, cell) => {
  expect(toCsv([[value, 1]])).toBe(`${cell},1\r\n`);
});

test("whatever a cell contains, a reader gets it back, and no cell begins like a formula", () => {
  const cell = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",;a') }),
  );
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
    );
  fc.assert(
    fc.property(table, (rows) => {
      // A byte order mark at the beginning of a file is not part of its text.
      const named = [rows[0]?.map((_, n) => `column ${n}`) ?? [], ...rows];
      const found = read(toCsv(named)).slice(1);
      expect(found.map((row) => row.filter((text) => /^[=+\-@\t\r\n]/.test(text)))).toEqual(
        rows.map(() => []),
      );
      expect(
        found.map((row, y) => row.map((text, x) => (text === rows[y]?.[x] ? text : text.replace(/^'/, "")))),
      ).toEqual(rows);
    }),
  );
});
