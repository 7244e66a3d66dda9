import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { ToolError } from "../catalog/errors.ts";
import { charsets, decodeCharset } from "../lib/charset.ts";
import { invalidField } from "../catalog/input.ts";
import { type CsvReadOptions, readRows } from "../lib/csv/read.ts";
import { type DocumentFault, unlessFault } from "../lib/fault.ts";

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

export const types = z
  .enum(["none", "infer"])
  .default("none")
  .describe(
    "Types of values: none keeps every field as text; infer converts true, false and numbers that a double holds exactly",
  );

export const inferColumns = z
  .array(z.string().max(1000))
  .max(1000)
  .default([])
  .describe("Columns to infer, by name or, without a header, by index from 0; defaults to all");

export const ragged = z
  .enum(["error", "pad", "keep"])
  .default("error")
  .describe(
    "Handling of a record that is shorter than the first: error refuses it, pad adds empty fields, keep leaves it",
  );

export const trim = z
  .boolean()
  .default(false)
  .describe("Remove white space at the ends of every field and column name");

export const emptyFields = z
  .enum(["text", "null"])
  .default("text")
  .describe("Value of empty fields: text gives empty strings, null gives null");

export const unflatten = z
  .boolean()
  .default(false)
  .describe(
    "Nest the values of columns with dotted names: a.b becomes b in a, and l.0 an item of the list l",
  );

/** Names the option that accepts what a fault of strict quotes refuses, if it does. */
export function adviseQuotes(
  { rule }: DocumentFault,
  data: string,
  options: CsvReadOptions,
): string | undefined {
  if (rule !== "quote" && rule !== "unclosed-quote") return undefined;
  return unlessFault(() => {
    readRows(data, { ...options, quotes: "lenient" }, () => true);
    return "To accept it, set quotes to lenient.";
  });
}

/** @throws ToolError invalid_input if the delimiter contains the quote, so that fields would be ambiguous. */
export function checkDialect<Dialect extends { delimiter: string; quote: string }>(input: Dialect): Dialect {
  if (!input.delimiter.includes(input.quote)) return input;
  throw invalidField("delimiter", "The delimiter and the quote must differ.");
}

/** For raw bodies; text in JSON is Unicode already. */
export const encoding = z
  .enum(["auto", "utf-16", ...charsets])
  .default("auto")
  .describe(
    "Character set of a raw body: auto reads UTF-8, or UTF-16 after a byte order mark; utf-16 without one is utf-16le; exports of Excel are windows-1252",
  );

export type Encoding = z.output<typeof encoding>;

/** Decodes a raw body. @throws ToolError invalid_document that names the option for bytes that are not of the character set */
export function decodeCsv(bytes: Uint8Array, charset: Encoding): string {
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : "utf-8";
  const wide = marked === "utf-8" ? "utf-16le" : marked;
  const named = charset === "auto" ? marked : charset === "utf-16" ? wide : charset;
  // The mark of UTF-8 stays, so that the places of faults are those of the bytes; every reader skips it.
  const text = named === "utf-8" ? unlessInvalid(bytes) : decodeCharset(bytes, named);
  if (text !== undefined) return text;
  throw notText(named, charset);
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const unlessInvalid = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? utf8.decode(bytes) : undefined;

/** Decodes a part of a raw body of UTF-8 that does not begin it. */
export function decodeCsvPart(bytes: Uint8Array, charset: Encoding): string {
  const text = unlessInvalid(bytes);
  if (text !== undefined) return text;
  throw notText("utf-8", charset);
}

function notText(named: string, charset: Encoding): ToolError {
  const hint = charset === "auto" ? " Set encoding, to windows-1252 for most exports of spreadsheets." : "";
  return new ToolError("invalid_document", `The bytes are not text in ${named}.${hint}`);
}
