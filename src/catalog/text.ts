import { isUtf8 } from "node:buffer";
import { locate } from "../lib/json/position.ts";
import { findInvalidUtf8 } from "../lib/json/utf8.ts";
import { type ErrorCode, ToolError } from "./errors.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes UTF-8 and keeps a byte order mark.
 * @throws ToolError `code` with the place of the first invalid byte; a replacement character would hide the loss.
 */
export function toText(bytes: Uint8Array, code: ErrorCode, subject: string): string {
  if (isUtf8(bytes)) return decoder.decode(bytes);
  const offset = findInvalidUtf8(bytes);
  const place = { offset, ...locate(bytes, offset) };
  const message = `${subject} is not UTF-8: byte ${offset} does not begin a character.`;
  throw new ToolError(code, message, { errors: [{ message, ...place }] });
}
