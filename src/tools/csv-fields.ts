import { z } from "zod";
import { invalidField } from "../catalog/input.ts";

export const delimiter = z
  .string()
  .min(1)
  .max(16)
  .regex(/^[^\r\n]+$/, "Must not contain a line end.")
  .default(",")
  .describe("Separator between fields: one or more characters, or the word tab");

/** Like `delimiter`, for parsers, which can detect it. */
export const readDelimiter = delimiter.describe(
  "Separator between fields: one or more characters, the word tab, or auto to detect it from the first records",
);

export const quote = z
  .string()
  .length(1)
  .regex(/^[^\r\n]$/, "Must not be a line end.")
  .default('"')
  .describe("Quote character around fields that need it; doubled inside a field");

export const quotes = z
  .enum(["strict", "lenient"])
  .default("strict")
  .describe(
    "Handling of text after a closing quote and of unclosed quotes: strict refuses them, lenient reads them as text",
  );

export const duplicateHeaders = z
  .enum(["error", "rename"])
  .default("error")
  .describe("Handling of duplicate column names: error refuses them, rename numbers them, as in a, a_1");

export const emptyLines = z
  .enum(["keep", "skip", "skip-blank"])
  .default("keep")
  .describe(
    "Handling of empty lines: keep reads each as a record with one empty field, skip ignores them, skip-blank also ignores records of white space only",
  );

/** @throws ToolError invalid_input if the delimiter contains the quote, so that fields would be ambiguous. */
export function checkDialect(input: { delimiter: string; quote: string; comment?: string }): void {
  if (input.delimiter.includes(input.quote))
    throw invalidField("delimiter", "The delimiter and the quote must differ.");
}
