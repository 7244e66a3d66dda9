import { z } from "zod";
import { invalidField } from "../catalog/input.ts";
import { checkLocale } from "./locale.ts";

/** The fields of line-sorter for columns and counts. */
export const columnFields = {
  column: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe("Column to sort by, from 1; a line without it counts as empty"),
  separator: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Text between columns; by default any white space, as in sort and awk"),
  counts: z
    .boolean()
    .default(false)
    .describe(
      "Keep the first of equal lines with their number and a tab before it, like uniq -c; asc and desc then sort by that number",
    ),
};

interface Sorting {
  order: string;
  numeric: boolean;
  natural: boolean;
  counts: boolean;
  column?: number | undefined;
  separator?: string | undefined;
  locale?: string | undefined;
  seed?: string | undefined;
}

/** @throws ToolError invalid_input for options that exclude or lack each other. */
export function checkSorting({
  order,
  numeric,
  natural,
  counts,
  column,
  separator,
  locale,
  seed,
}: Sorting): void {
  if (numeric && natural) throw invalidField("natural", "Sort by numeric or by natural, not by both.");
  if (separator !== undefined && column === undefined)
    throw invalidField("separator", "Is for column only: set column too.");
  if (counts && column !== undefined)
    throw invalidField("counts", "Sorts by the number of equal lines: leave out column.");
  if (order === "shuffle" && seed === undefined) {
    throw invalidField("seed", "shuffle needs a seed, any text, so that the same call gives the same order.");
  }
  checkLocale(locale);
}
