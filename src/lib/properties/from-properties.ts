import { DocumentFault } from "../fault.ts";
import { type DuplicateKeys, setMember } from "../data/set-member.ts";
import type { Dictionary } from "../data/value.ts";
import { shown } from "../ini/from-ini.ts";

/**
 * Parses a Java properties file like java.util.Properties: `=`, `:` or white space after the key, `\` at the
 * end of a line continues it, comments begin with `#` or `!`. Dots in keys do not nest.
 * @throws DocumentFault if a key repeats or an escape is incomplete.
 */
export function fromProperties(text: string, duplicateKeys: DuplicateKeys = "error"): Dictionary {
  const result: Dictionary = new Map();
  const cursor = { text, at: text.charCodeAt(0) === 0xfeff ? 1 : 0 };
  while (cursor.at < text.length) {
    skipBlanks(cursor);
    const index = cursor.at;
    const first = text[index];
    if (first === "#" || first === "!") {
      while (cursor.at < text.length && !isLineEnd(text[cursor.at])) cursor.at++;
    } else if (first !== undefined && !isLineEnd(first)) {
      const key = readUntil(cursor, /[=:\s]/);
      skipBlanks(cursor);
      if (text[cursor.at] === "=" || text[cursor.at] === ":") {
        cursor.at++;
        skipBlanks(cursor);
      }
      const value = readUntil(cursor, /[\r\n]/);
      setMember(result, key, value, duplicateKeys, () => {
        const message = `The key ${shown(key)} occurs twice.`;
        return new DocumentFault(message, { index }, "duplicate-key");
      });
    }
    while (isLineEnd(text[cursor.at])) cursor.at++;
  }
  return result;
}

interface Cursor {
  readonly text: string;
  at: number;
}

const isLineEnd = (unit: string | undefined): boolean => unit === "\n" || unit === "\r";

/** Skips white space, including continued lines. */
function skipBlanks(cursor: Cursor): void {
  const blanks = /(?:[ \t\f]|\\(?:\r\n|\r|\n)[ \t\f]*)/y;
  for (;;) {
    blanks.lastIndex = cursor.at;
    if (!blanks.test(cursor.text)) return;
    cursor.at = blanks.lastIndex;
  }
}

function readUntil(cursor: Cursor, end: RegExp): string {
  const { text } = cursor;
  let value = "";
  while (cursor.at < text.length) {
    const unit = text.charAt(cursor.at);
    if (unit !== "\\") {
      if (end.test(unit)) return value;
      value += unit;
      cursor.at++;
      continue;
    }
    const next = text.charAt(cursor.at + 1);
    if (isLineEnd(next)) {
      skipBlanks(cursor);
      continue;
    }
    if (next === "u") {
      const [escape = "", ...digits] = unicodeEscape.exec(text.slice(cursor.at, cursor.at + maxEscape)) ?? [];
      if (escape === "")
        throw new DocumentFault("Expected 4 hexadecimal digits after \\u.", { index: cursor.at });
      value += String.fromCharCode(Number.parseInt(digits.join(""), 16));
      cursor.at += escape.length;
      continue;
    }
    value += Object.hasOwn(escapes, next) ? (escapes[next] as string) : next;
    cursor.at += 2;
  }
  return value;
}

const escapes: Record<string, string> = { t: "\t", n: "\n", r: "\r", f: "\f" };

/** Longest escape that is read, with the continuations in it. */
const maxEscape = 4096;

/** Java joins lines before it reads escapes, so a continuation may be in the middle of one. */
const continued = String.raw`(?:\\(?:\r\n|\r|\n)[ \t\f]*)*`;
const unicodeEscape = new RegExp(String.raw`^\\u` + String.raw`${continued}([\da-fA-F])`.repeat(4));
