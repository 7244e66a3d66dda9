import { DocumentFault } from "../fault.ts";
import { type Cursor, describeUnit, isControl, skipNewline } from "./cursor.ts";

/** Reads the string whose opening quote is at the cursor, in any of the four forms. */
export function readString(cursor: Cursor): string {
  const { text, at } = cursor;
  const quote = text.charAt(at);
  if (!text.startsWith(quote.repeat(3), at)) {
    cursor.at++;
    return readBody(cursor, { quote, multiline: false, from: at });
  }
  cursor.at += 3;
  // A line end directly after the opening quotes is not part of the string.
  skipNewline(cursor);
  return readBody(cursor, { quote, multiline: true, from: at });
}

interface Form {
  readonly quote: string;
  readonly multiline: boolean;
  readonly from: number;
}

function readBody(cursor: Cursor, form: Form): string {
  const { text } = cursor;
  const quote = form.quote.charCodeAt(0);
  let value = "";
  let start = cursor.at;
  for (;;) {
    const { at } = cursor;
    const unit = text.charCodeAt(at);
    if (at >= text.length) throw unterminated(form, at);
    if (unit === quote) {
      const run = form.multiline ? quotesAt(text, at) : 1;
      if (!form.multiline || run >= 3) {
        // One or two quotes may directly precede the closing ones.
        cursor.at = at + run;
        return value + text.slice(start, at + (form.multiline ? run - 3 : 0));
      }
      cursor.at += run;
    } else if (unit === 0x5c && quote === 0x22) {
      value += text.slice(start, at);
      value += readEscape(cursor, form);
      start = cursor.at;
    } else if (isControl(unit)) {
      if (!form.multiline && (unit === 0x0a || unit === 0x0d)) throw unterminated(form, at);
      if (!form.multiline || !skipNewline(cursor)) {
        const advice =
          quote === 0x22 ? "write it as an escape such as \\u0000" : "use a string in double quotes";
        throw new DocumentFault(`${describeUnit({ text, at })} is not allowed in a string; ${advice}.`, {
          index: at,
        });
      }
    } else cursor.at++;
  }
}

/** Counts consecutive quotes, at most 5: two of content and three that close. */
function quotesAt(text: string, from: number): number {
  let count = 1;
  while (count < 5 && text[from + count] === text[from]) count++;
  return count;
}

const escapes: Record<string, string> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\",
};

function readEscape(cursor: Cursor, form: Form): string {
  const { text, at, version } = cursor;
  const letter = text.charAt(at + 1);
  cursor.at += 2;
  const simple = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
  if (simple !== undefined) return simple;
  if (letter === "u") return readPoint(cursor, at, 4);
  if (letter === "U") return readPoint(cursor, at, 8);
  if (version === "1.1") {
    if (letter === "e") return "\u001b";
    if (letter === "x") return readPoint(cursor, at, 2);
  }
  if (form.multiline) {
    const end = foldedEnd(text, at + 1);
    if (end > 0) {
      cursor.at = end;
      return "";
    }
  }
  const later = letter === "e" || letter === "x" ? ` \\${letter} is new in TOML 1.1.` : "";
  throw new DocumentFault(
    `\\ followed by ${describeUnit({ text, at: at + 1 })} is not an escape; write \\\\ for a backslash, or use single quotes.${later}`,
    { index: at },
  );
}

/**
 * A backslash at the end of a line removes all white space up to the next character. Returns where that is,
 * or -1 if the rest of the line is not white space.
 */
function foldedEnd(text: string, from: number): number {
  const cursor = { text, at: from };
  let lines = 0;
  for (;;) {
    const unit = text.charCodeAt(cursor.at);
    if (unit === 0x20 || unit === 0x09) cursor.at++;
    else if (skipNewline(cursor)) lines++;
    else return lines > 0 ? cursor.at : -1;
  }
}

function readPoint(cursor: Cursor, from: number, digits: number): string {
  const hex = cursor.text.slice(cursor.at, cursor.at + digits);
  if (hex.length < digits || !/^[\da-fA-F]+$/.test(hex))
    throw new DocumentFault(`Expected ${digits} hexadecimal digits in the escape.`, { index: from });
  const point = Number.parseInt(hex, 16);
  if (point > 0x10_ffff || (point >= 0xd800 && point <= 0xdfff))
    throw new DocumentFault(`U+${hex.toUpperCase()} is not a Unicode character.`, { index: from });
  cursor.at += digits;
  return String.fromCodePoint(point);
}

function unterminated({ quote, multiline, from }: Form, at: number): DocumentFault {
  const end = multiline ? quote.repeat(3) : quote;
  const hint = multiline ? "" : ` Multi-line strings need ${quote.repeat(3)}.`;
  return new DocumentFault(
    `The string is not closed; expected ${end}.${hint}`,
    { index: multiline ? from : at },
    "truncated",
  );
}
