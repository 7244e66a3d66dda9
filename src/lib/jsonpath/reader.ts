import { OptionFault } from "../fault.ts";

/** A position in the text of a query. */
export interface Reader {
  readonly text: string;
  at: number;
}

export const fail = (reader: Reader, message: string, at = reader.at): never => {
  throw new OptionFault(message, { index: at });
};

/** Skips the white space of RFC 9535: four characters, and no others. */
export function skipBlank(reader: Reader): void {
  while (/[ \t\n\r]/.test(reader.text[reader.at] ?? "")) reader.at++;
}

/** Moves past a token if it is here. */
export function take(reader: Reader, token: string): boolean {
  if (!reader.text.startsWith(token, reader.at)) return false;
  reader.at += token.length;
  return true;
}

export function expect(reader: Reader, token: string): void {
  if (!take(reader, token)) fail(reader, `expected ${token}; found ${found(reader)}`);
}

/** Moves past the match of a sticky pattern, and returns it. */
export function takeMatch(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.text)?.[0];
  if (match !== undefined) reader.at += match.length;
  return match;
}

export const found = (reader: Reader): string => {
  const point = reader.text.codePointAt(reader.at);
  return point === undefined ? "the end" : JSON.stringify(String.fromCodePoint(point));
};

const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", "/": "/", "\\": "\\" };

/** Returns the value of the string literal whose quote is here (RFC 9535 §2.3.1.1). */
export function readString(reader: Reader): string {
  const quote = reader.text[reader.at] as string;
  const start = reader.at++;
  let value = "";
  for (;;) {
    const unit = reader.text[reader.at];
    if (unit === undefined) return fail(reader, "the closing quote is missing", start);
    reader.at++;
    if (unit === quote) break;
    if (unit < " ") return fail(reader, "control characters must be escaped", reader.at - 1);
    value += unit === "\\" ? readEscape(reader, quote) : unit;
  }
  return value.isWellFormed() ? value : fail(reader, "a lone surrogate is not allowed", start);
}

function readEscape(reader: Reader, quote: string): string {
  const at = reader.at - 1;
  const unit = reader.text[reader.at++] ?? "";
  if (unit === quote) return quote;
  if (Object.hasOwn(escapes, unit)) return escapes[unit] as string;
  const digits = unit === "u" ? takeMatch(reader, /[\da-f]{4}/iy) : undefined;
  if (digits === undefined) return fail(reader, "this is not a valid escape", at);
  const code = Number.parseInt(digits, 16);
  if ((code & 0xf800) !== 0xd800) return String.fromCharCode(code);
  // Both escapes of a surrogate pair must follow one another directly.
  const low = takeMatch(reader, /\\ud[c-f][\da-f]{2}/iy);
  if (code >= 0xdc00 || low === undefined) return fail(reader, "a lone surrogate is not allowed", at);
  return String.fromCharCode(code, Number.parseInt(low.slice(2), 16));
}
