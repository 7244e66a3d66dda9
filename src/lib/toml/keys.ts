import { DocumentFault } from "../fault.ts";
import { type Cursor, describeUnit, skipSpace } from "./cursor.ts";
import { readString } from "./strings.ts";

/** One part of a key, and its start. */
export interface KeyPart {
  readonly name: string;
  readonly at: number;
}

/** Reads a key; dots make it a path: `a."b c".d`. */
export function readKey(cursor: Cursor): KeyPart[] {
  const parts: KeyPart[] = [];
  for (;;) {
    skipSpace(cursor);
    const { at } = cursor;
    parts.push({ name: readPart(cursor), at });
    skipSpace(cursor);
    if (cursor.text.charCodeAt(cursor.at) !== 0x2e) return parts;
    cursor.at++;
  }
}

function readPart(cursor: Cursor): string {
  const { text, at } = cursor;
  const unit = text.charCodeAt(at);
  if (unit === 0x22 || unit === 0x27) {
    if (text.startsWith('"""', at) || text.startsWith("'''", at))
      throw new DocumentFault("A key cannot be a multi-line string; use a single quote.", { index: at });
    return readString(cursor);
  }
  let end = at;
  while (isBare(text.charCodeAt(end))) end++;
  if (end === at) {
    const hint = /[\p{L}\p{N}]/u.test(text.charAt(at)) ? " Quote a key that contains other characters." : "";
    throw new DocumentFault(`Expected a key; found ${describeUnit(cursor)}.${hint}`, { index: at });
  }
  cursor.at = end;
  return text.slice(at, end);
}

/** ASCII letters and digits, `_` and `-`. */
const isBare = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  unit === 0x5f ||
  unit === 0x2d;
