import { z } from "zod";
import { invalidField } from "../catalog/input.ts";

/** What stands between fields. */
export const delimiter = z
  .string()
  .min(1)
  .max(16)
  .regex(/^[^\r\n]+$/, "Must not contain a line end.")
  .default(",")
  .describe("What stands between fields: a character or a few, or the word tab");

/** As `delimiter`, for readers. */
export const readDelimiter = delimiter.describe(
  "What stands between fields: a character or a few, or one of the words tab and auto, which looks at the first records",
);

export const quote = z
  .string()
  .length(1)
  .regex(/^[^\r\n]$/, "Must not be a line end.")
  .default('"')
  .describe("The character around fields that need it, written twice where it is meant");

/** What a reader forgives. */
export const quotes = z
  .enum(["strict", "lenient"])
  .default("strict")
  .describe(
    "Whether text behind a closing quote and a quote that is never closed are refused or taken as text",
  );

export const duplicateHeaders = z
  .enum(["error", "rename"])
  .default("error")
  .describe("Whether a column that is named twice is refused or numbered, as in a, a_1");

export const emptyLines = z
  .enum(["keep", "skip", "skip-blank"])
  .default("keep")
  .describe(
    "keep takes an empty line as a record of one empty field; skip-blank also leaves out records of nothing but space",
  );

/** @throws ToolError where a field could not be told from what follows it. */
export function checkDialect(input: { delimiter: string; quote: string; comment?: string }): void {
  if (input.delimiter.includes(input.quote))
    throw invalidField("delimiter", "The delimiter and the quote must differ.");
}
