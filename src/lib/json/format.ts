import { maxResult, printBytes, printText, type PrintSettings, type Printed } from "./printer.ts";
import { toDocumentFault } from "./problem.ts";
import { loneSurrogateError, tooLargeError } from "./refusals.ts";
import { sortKeys } from "./sort-keys.ts";
import { validateJson } from "./validate.ts";

/** Default limit of a result: indentation multiplies with nesting. */
export const maxResultBytes = 64 * 1024 * 1024;

export interface FormatOptions {
  /** Spaces a level, 0 to 10; 0 puts the document on one line. */
  indent: number;
  /** Writes one tab a level, unless `indent` is 0. */
  useTabs?: boolean;
  /** Sorts every object by Unicode code point of the decoded keys; equal keys keep their order. */
  sortKeys?: boolean;
  duplicateKeys?: "keep" | "error";
  /** Most containers open at once: 10,000 by default, 1,000,000 at most. */
  maxDepth?: number;
  /** `maxResultBytes` by default; at most `maxResult`, and 511 MiB for a string. */
  maxResultBytes?: number;
}

/**
 * Writes a document in the layout of `JSON.stringify(value, null, indent)` and keeps every number, string,
 * key and duplicate as written.
 * @throws DocumentFault if it is not JSON (RFC 8259, UTF-8).
 */
export function formatJson(data: Uint8Array, options: FormatOptions): Uint8Array {
  const settings = toSettings(options);
  if (options.duplicateKeys === "error") refuseDuplicates(data, settings);
  const printed = printBytes(data, options.sortKeys ? { ...settings, indent: 0 } : settings);
  if (printed.result === undefined) throw toError(data, settings, printed);
  if (!options.sortKeys) return options.useTabs ? toTabs(printed.result) : printed.result;
  // `sortKeys` needs a valid document on one line, and returns one.
  const sorted = sortKeys(printed.result);
  if (settings.indent === 0) return sorted;
  const laidOut = printBytes(sorted, settings);
  if (laidOut.result === undefined) throw toError(sorted, settings, laidOut);
  return options.useTabs ? toTabs(laidOut.result) : laidOut.result;
}

/** Like `formatJson`, from string to string. A lone surrogate in the text is an error, never U+FFFD. */
export function formatJsonText(text: string, options: FormatOptions): string {
  if (!text.isWellFormed()) throw loneSurrogateError(text);
  if (options.sortKeys || options.useTabs || options.duplicateKeys === "error") {
    const { buffer, byteOffset, byteLength } = formatJson(Buffer.from(text), options);
    return Buffer.from(buffer, byteOffset, byteLength).toString();
  }
  const settings = toSettings(options);
  const printed = printText(text, settings);
  if (printed.result === undefined) throw toError(Buffer.from(text), settings, printed);
  return printed.result;
}

/** Like `formatJson` on one line. */
export function minifyJson(data: Uint8Array, options: Omit<FormatOptions, "indent"> = {}): Uint8Array {
  return formatJson(data, { ...options, indent: 0 });
}

/** Like `formatJsonText` on one line. */
export function minifyJsonText(text: string, options: Omit<FormatOptions, "indent"> = {}): string {
  return formatJsonText(text, { ...options, indent: 0 });
}

function toSettings(options: FormatOptions): PrintSettings {
  const { indent, maxDepth = 10_000, maxResultBytes: most = maxResultBytes } = options;
  if (!Number.isInteger(indent) || indent < 0 || indent > 10)
    throw new RangeError(`indent must be 0 to 10, got ${indent}`);
  if (!(maxDepth >= 0) || !(most >= 0)) throw new RangeError("limits must be 0 or more");
  return {
    // Each space of an indentation of one becomes a tab.
    indent: options.useTabs ? Math.min(indent, 1) : indent,
    maxDepth: Math.min(Math.floor(maxDepth), 1_000_000),
    maxResultBytes: Math.min(Math.floor(most), maxResult),
  };
}

/** Turns the spaces at the start of every line into tabs, in place; a string of JSON contains no line break. */
function toTabs(printed: Uint8Array): Uint8Array {
  for (let at = printed.indexOf(0x0a); at >= 0; at = printed.indexOf(0x0a, at)) {
    while (printed[++at] === 0x20) printed[at] = 0x09;
  }
  return printed;
}

function refuseDuplicates(data: Uint8Array, { maxDepth }: PrintSettings): void {
  const [problem] = validateJson(data, { duplicateKeys: "error", maxDepth });
  if (problem) throw toDocumentFault(problem);
}

/** The printer only detects that something is wrong; the scanner finds what. */
function toError(data: Uint8Array, settings: PrintSettings, { tooLargeAt }: Printed<unknown>): Error {
  if (tooLargeAt !== undefined && tooLargeAt >= 0)
    return tooLargeError(data, tooLargeAt, settings.maxResultBytes);
  const [problem] = validateJson(data, { duplicateKeys: "allow", maxDepth: settings.maxDepth });
  return problem
    ? toDocumentFault(problem)
    : new Error("the printer refuses a document that the scanner accepts");
}
