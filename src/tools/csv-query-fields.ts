import { z } from "zod";
import type { CsvReadOptions } from "../lib/csv/read.ts";
import { openRe2, type Re2 } from "../lib/regex/re2.ts";
import { toJoinKeys } from "../lib/csv-query/run.ts";
import { joinTables, readTable, type Table } from "../lib/csv-query/table.ts";
import * as fields from "./csv-fields.ts";
import { refusing, refusingOption } from "./refusing.ts";

const list = z.array(z.string().min(1).max(2000)).max(200).default([]);

/** The operations of csv-query, in the order in which they are applied. */
export const queryFields = {
  other: z
    .string()
    .max(134_217_728)
    .optional()
    .describe(
      "A second CSV text to join: its columns are added to the records that have equal values in the columns on",
    ),
  on: list.describe("Columns of the join: names that both have, or name=other where they differ"),
  joinKind: z
    .enum(["inner", "left"])
    .default("inner")
    .describe("Records without a partner: inner leaves them out, left keeps them with empty fields"),
  where: z
    .string()
    .max(10_000)
    .default("")
    .describe(
      "Condition of the records that are kept, such as price >= 10 and (name contains 'x' or code in ('a', 'b')): texts in quotes, columns by name or in backquotes; = != < <= > >= + - * / %, and or not, in, contains, startswith, endswith, matches (RE2), if lower upper trim length number date",
    ),
  group: list.describe("Columns whose values make a group; the result has one record for each"),
  aggregate: list.describe(
    "Values of each group: count, sum:c, mean:c, min:c, max:c, distinct:c, first:c, last:c and p50:c of a column c, as name=sum:c for a name of its own; without a group, of all records",
  ),
  select: list.describe(
    "Columns of the result, in this order: a name, * for all, or name=expression; defaults to all",
  ),
  sort: list.describe(
    "Columns to sort by, - before a name for descending order, and :numeric, :natural, :date or :text behind it; by default numbers come before texts, and empty fields last",
  ),
  offset: z.int().min(0).max(1_000_000_000).default(0).describe("Records of the result to skip"),
  limit: z.int().min(0).max(1_000_000_000).optional().describe("Most records of the result; defaults to all"),
};

/** Options for reading the CSV texts. */
export const readFields = {
  delimiter: fields.readDelimiter,
  header: z
    .boolean()
    .default(true)
    .describe("Read the column names from the first record; without it they are c1, c2 and so on"),
  quote: fields.quote,
  quotes: fields.quotes,
  comment: z
    .string()
    .max(16)
    .default("")
    .describe("Prefix of comment lines, which are skipped; empty for none"),
  trim: fields.trim,
  ragged: fields.ragged,
  duplicateHeaders: fields.duplicateHeaders,
  emptyLines: fields.emptyLines,
  encoding: fields.encoding,
};

/** Joins a table with the text of another one. @throws ToolError */
export function joinWith(
  table: Table,
  { other, on, joinKind }: { other?: string | undefined; on: readonly string[]; joinKind: "inner" | "left" },
  reading: CsvReadOptions,
): Table {
  if (other === undefined) return table;
  const second = refusing(other, () => readTable(other, reading), "other");
  const keys = refusingOption("on", () => toJoinKeys(table, second, on));
  return joinTables(table, second, keys, joinKind);
}

/** Compiles regular expressions; the engine is loaded for expressions that have one. */
export async function openPatterns(texts: readonly string[]): Promise<(text: string, flags: string) => Re2> {
  if (texts.some((text) => /\bmatches\b/i.test(text))) return openRe2();
  return () => {
    throw new Error("An expression without matches has no pattern");
  };
}
