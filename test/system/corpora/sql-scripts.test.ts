import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadSqlFormatter, type sqlDialects } from "../../../src/lib/sql/format.ts";
import { atHand, corpora } from "../../unit/corpora/corpus.ts";

interface Row {
  id: string;
  kind: string;
  dialect: string;
  text: string;
}

const rows = atHand
  ? readFileSync(new URL("real-files.jsonl", corpora), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row)
      .filter(({ kind }) => kind === "sql")
  : [];

const dialects: Record<string, (typeof sqlDialects)[number]> = {
  oracle: "plsql",
  sqlserver: "tsql",
  psql: "postgresql",
  dbt: "bigquery",
};

/** Lines that a client of the database reads, by their first word; none of these files has such a line in a string or comment. */
const clientLines: Record<string, RegExp> = {
  oracle:
    /^(?:\/|rem\b.*|prompt\b.*|set (?:echo|verify|heading|feedback|define|serveroutput)\b.*|spool\b.*|@@?\w.*|show err.*|whenever\b.*)$/i,
  sqlserver: /^GO$/i,
  psql: /^\\(?!gset).*$/,
};

const linesOf = (text: string, pattern: RegExp): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => pattern.test(line));

test.runIf(atHand)("there are thirty scripts", () => {
  expect(rows).toHaveLength(30);
});

test.each(rows)("$id keeps every token, and every line that is syntax", async ({ dialect, text }) => {
  const format = await loadSqlFormatter({
    dialect: dialects[dialect] ?? (dialect as (typeof sqlDialects)[number]),
    keywordCase: "preserve",
    indent: 2,
    useTabs: false,
    placeholders: ["braces", "colon"],
  });
  const result = format(text);
  expect(format(result)).toBe(result);
  const squeezed = (given: string): string => given.replaceAll(/\s+/g, "");
  expect(squeezed(result)).toBe(squeezed(text));
  const pattern = clientLines[dialect];
  if (pattern !== undefined) expect(linesOf(result, pattern)).toEqual(linesOf(text, pattern));
});
