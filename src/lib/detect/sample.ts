import { isUtf8 } from "node:buffer";
import { cutAtCharacter } from "../cut-at-character.ts";

/** The part of an input that detectors see. Work on it is bounded, however large the input is. */
export interface Sample {
  /** The input, or its first mebibyte. */
  readonly bytes: Uint8Array;
  /** Bytes of the whole input. */
  readonly size: number;
  /** The beginning of the text without a byte order mark and white space before it; empty if the input is not text. */
  readonly text: string;
  /** The same beginning as it is, with the white space around it. */
  readonly raw: string;
  /** Lines of `text` that are not blank, without the white space after them. */
  readonly lines: readonly string[];
  /** Whether `text` is all of the input. */
  readonly whole: boolean;
  /** Whether the bytes are UTF-8 without the control characters that occur in binary files only. */
  readonly isText: boolean;
  /** The text if it is one line, otherwise "". */
  readonly line: string;
  /** Code units of the input before `text`. */
  readonly start: number;
}

const maxBytes = 1024 * 1024;
const maxText = 64 * 1024;
const maxLines = 1000;
/** Longest line that patterns are applied to. */
const maxLine = 2000;

/** @param size Bytes of the input, if `input` is only its beginning. */
export function toSample(input: Uint8Array, size: number = input.length): Sample {
  const bytes = input.subarray(0, maxBytes);
  const head = size > maxText ? cutAtCharacter(bytes.subarray(0, maxText)) : bytes;
  const isText = isUtf8(head) && !hasBinaryControls(head);
  const decoded = isText ? Buffer.from(head.buffer, head.byteOffset, head.length).toString() : "";
  const start = decoded.length - decoded.replace(/^[\ufeff\s]+/, "").length;
  const text = decoded.slice(start).trimEnd();
  const lines: string[] = [];
  for (let at = 0; at < text.length && lines.length < maxLines;) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, Math.min(end, at + maxLine)).trimEnd();
    if (line !== "") lines.push(line);
    at = end + 1;
  }
  const line = lines.length === 1 && text.length <= maxLine ? text : "";
  return {
    bytes,
    size,
    text,
    raw: decoded,
    lines,
    whole: head.length === size,
    isText,
    line,
    start,
  };
}

/** A text cut after its last complete line, if it is longer than `length`. */
export const cutAtLine = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const newline = text.lastIndexOf("\n", length);
  return text.slice(0, newline > 0 ? newline : length).toWellFormed();
};

/** Text has tabs, line ends, form feeds, backspaces, bells and escape sequences; NUL and the others are binary. */
export function hasBinaryControls(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 0x07 || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte < 0x20));
}
