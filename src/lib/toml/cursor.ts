import { DocumentFault } from "../fault.ts";

export type TomlVersion = "1.0" | "1.1";

/** The text being read and the position in it. */
export interface Cursor {
  readonly text: string;
  readonly version: TomlVersion;
  at: number;
  /** Reports a fault after which reading can continue. */
  report(fault: DocumentFault): void;
}

/** @throws DocumentFault if the text contains a lone surrogate, which UTF-8 cannot encode. */
export function toCursor(
  text: string,
  version: TomlVersion,
  onFault: (fault: DocumentFault) => void = raise,
): Cursor {
  if (!text.isWellFormed()) {
    const whole = text.toWellFormed();
    let index = 0;
    while (text.charCodeAt(index) === whole.charCodeAt(index)) index++;
    throw new DocumentFault("This is a lone surrogate; repair the text.", { index });
  }
  return { text, version, at: text.charCodeAt(0) === 0xfeff ? 1 : 0, report: onFault };
}

/** Skips spaces and tabs. */
export function skipSpace(cursor: Cursor): void {
  const { text } = cursor;
  let { at } = cursor;
  for (let unit = text.charCodeAt(at); unit === 0x20 || unit === 0x09;) unit = text.charCodeAt(++at);
  cursor.at = at;
}

/** Skips spaces, comments and line ends. */
export function skipLines(cursor: Cursor): void {
  for (;;) {
    skipSpace(cursor);
    const unit = cursor.text.charCodeAt(cursor.at);
    if (unit === 0x23) skipComment(cursor);
    else if (!skipNewline(cursor)) return;
  }
}

/** Skips what may follow an expression: spaces, a comment, and the end of the line. */
export function endLine(cursor: Cursor): void {
  skipSpace(cursor);
  if (cursor.text.charCodeAt(cursor.at) === 0x23) skipComment(cursor);
  if (skipNewline(cursor) || cursor.at >= cursor.text.length) return;
  throw new DocumentFault(`Expected the end of the line; found ${describeUnit(cursor)}.`, {
    index: cursor.at,
  });
}

/** Returns whether there was one. A carriage return alone does not end a line. */
export function skipNewline(cursor: Pick<Cursor, "text" | "at">): boolean {
  const { text, at } = cursor;
  const unit = text.charCodeAt(at);
  if (unit === 0x0a) cursor.at++;
  else if (unit === 0x0d && text.charCodeAt(at + 1) === 0x0a) cursor.at += 2;
  else return false;
  return true;
}

export function expect(cursor: Cursor, token: string, what: string): void {
  if (!cursor.text.startsWith(token, cursor.at))
    throw new DocumentFault(`Expected ${what}; found ${describeUnit(cursor)}.`, { index: cursor.at });
  cursor.at += token.length;
}

/** Control characters that are forbidden everywhere: all except tab and line ends. */
export const isControl = (unit: number): boolean => (unit < 0x20 && unit !== 0x09) || unit === 0x7f;

/** Describes the character at the cursor, safe to print. */
export function describeUnit({ text, at }: { text: string; at: number }): string {
  const point = text.codePointAt(at);
  if (point === undefined) return "the end of the document";
  if (point === 0x0a || point === 0x0d) return "the end of the line";
  const character = String.fromCodePoint(point);
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return point === 0x27 ? `"'"` : `'${character}'`;
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

function skipComment(cursor: Cursor): void {
  const { text } = cursor;
  let at = cursor.at + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (!isControl(unit)) continue;
    if (unit === 0x0a || (unit === 0x0d && text.charCodeAt(at + 1) === 0x0a)) break;
    throw new DocumentFault(`${describeUnit({ text, at })} is not allowed in a comment.`, { index: at });
  }
  cursor.at = at;
}

function raise(fault: DocumentFault): never {
  throw fault;
}
