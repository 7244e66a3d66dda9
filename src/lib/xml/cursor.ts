import { endOfName, isSpaceUnit, skipSpace } from "./chars.ts";
import { describeXml, fail } from "./fault.ts";

/** A position in a text read from left to right. */
export interface Cursor {
  readonly text: string;
  at: number;
}

export const sees = ({ text, at }: Cursor, expected: string): boolean => text.startsWith(expected, at);

/** Moves past `expected` if it is here. */
export function takes(cursor: Cursor, expected: string): boolean {
  if (!sees(cursor, expected)) return false;
  cursor.at += expected.length;
  return true;
}

export function expect(cursor: Cursor, expected: string): void {
  if (!takes(cursor, expected)) failExpected(cursor, `'${expected}'`);
}

export function optionalSpace(cursor: Cursor): void {
  cursor.at = skipSpace(cursor.text, cursor.at);
}

export function space(cursor: Cursor): void {
  if (!isSpaceUnit(cursor.text.charCodeAt(cursor.at))) failExpected(cursor, "a space");
  optionalSpace(cursor);
}

export function name(cursor: Cursor): string {
  const end = endOfName(cursor.text, cursor.at);
  if (end === cursor.at) failExpected(cursor, "a name");
  return cursor.text.slice(cursor.at, (cursor.at = end));
}

/** Reads a name declared here and passes it to `onName` too. */
export function declaredName(
  cursor: Cursor,
  onName: ((name: string, at: number, qualified: boolean) => void) | undefined,
  qualified: boolean,
): string {
  const { at } = cursor;
  const found = name(cursor);
  onName?.(found, at, qualified);
  return found;
}

/** Reads the text between two quotes of one kind. */
export function quoted(cursor: Cursor, what: string): string {
  const { text, at } = cursor;
  const quote = text[at];
  if (quote !== '"' && quote !== "'") failExpected(cursor, `${what} in quotes`);
  const end = text.indexOf(quote as string, at + 1);
  if (end < 0) fail("This quote is not closed.", at, "truncated");
  cursor.at = end + 1;
  return text.slice(at + 1, end);
}

export function failExpected({ text, at }: Cursor, expected: string): never {
  fail(`Expected ${expected}; found ${describeXml(text, at)}.`, at);
}
