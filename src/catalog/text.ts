import { isUtf8 } from "node:buffer";
import { locate } from "../lib/json/position.ts";
import { findInvalidUtf8 } from "../lib/json/utf8.ts";
import { type ErrorCode, ToolError } from "./errors.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The length of the text before a part of a document. The part begins at the start of a line. */
export interface Before {
  bytes: number;
  lines: number;
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
  before: Before = { bytes: 0, lines: 0 },
): string {
  if (isUtf8(bytes)) return decoder.decode(bytes);
  const at = findInvalidUtf8(bytes);
  const { line, column } = locate(bytes, at);
  const offset = before.bytes + at;
  const place = { offset, line: before.lines + line, column };
  const message = `${subject} is not UTF-8: byte ${offset} does not begin a character.`;
  throw new ToolError(code, message, { errors: [{ message, ...place }] });
}
