import { isUtf8 } from "node:buffer";
import { locate, type Position } from "../lib/json/position.ts";
import { findInvalidUtf8 } from "../lib/json/utf8.ts";
import { type ErrorCode, ToolError } from "./errors.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The length of the text before a part of a document. */
export interface Before {
  bytes: number;
  /** Line ends. */
  lines: number;
  /** Code points in the line in which the part begins. */
  columns: number;
}

/**
 * Decodes UTF-8 and keeps a byte order mark.
 * @param before The length of the text before the bytes, if they are a part of a document.
 * @throws ToolError `code` with the place of the first invalid byte; a replacement character would hide the loss.
 */
export function toText(
  bytes: Uint8Array,
  code: ErrorCode,
  subject: string,
  before: Before = { bytes: 0, lines: 0, columns: 0 },
): string {
  if (isUtf8(bytes)) return decoder.decode(bytes);
  const at = findInvalidUtf8(bytes);
  const offset = before.bytes + at;
  const place = { offset, ...shift(locate(bytes, at), before) };
  const message = `${subject} is not UTF-8: byte ${offset} does not begin a character.`;
  throw new ToolError(code, message, { errors: [{ message, ...place }] });
}

/** Returns where a position in a part of a document is in the document. */
export const shift = ({ line, column }: Position, { lines, columns }: Before): Position => ({
  line: lines + line,
  column: line === 1 ? columns + column : column,
});

/** Adds bytes, which do not end between CR and LF, to what stands before a part. */
export function advance(before: Before, bytes: Uint8Array): void {
  before.bytes += bytes.length;
  if (bytes.includes(0x0d)) {
    const end = shift(locate(bytes, bytes.length), before);
    before.lines = end.line - 1;
    before.columns = end.column - 1;
    return;
  }
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) before.lines++;
  const last = bytes.lastIndexOf(newline);
  if (last >= 0) before.columns = 0;
  before.columns += locate(bytes.subarray(last + 1), bytes.length).column - 1;
}

const newline = 0x0a;
