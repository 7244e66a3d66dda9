import { append } from "../append.ts";

/** A value as it is written, with the comments in it. */
export type WrittenValue = WrittenScalar | WrittenList;

export interface WrittenScalar {
  kind: "scalar";
  text: string;
  /** The number of characters on one line; Infinity if it cannot be on one. */
  width: number;
}

/** An array, or an inline table. */
export interface WrittenList {
  kind: "array" | "table";
  items: ListItem[];
  /** Comments after the last item. */
  rest: string[];
  width: number;
}

export interface ListItem {
  /** Comments on lines of their own before it. */
  before: string[];
  hasBlankLine: boolean;
  /** The key, for an inline table. */
  key: string | undefined;
  value: WrittenValue;
  /** The comment behind it. */
  behind: string | undefined;
}

/** A line of a document, or a pair, which may have several. */
export type WrittenLine =
  | { kind: "blank" }
  | { kind: "comment"; text: string }
  | { kind: "header"; text: string; behind: string | undefined }
  | { kind: "pair"; key: string; value: WrittenValue; behind: string | undefined };

/** Takes a valid document apart. Values are not read: each is the text that the document has for it. */
export function readPieces(text: string): WrittenLine[] {
  const cursor = { text, at: text.startsWith("\ufeff") ? 1 : 0 };
  const lines: WrittenLine[] = [];
  for (let from = -1; cursor.at < text.length;) {
    // The text is valid, so each turn takes a line.
    if (cursor.at === from) throw new Error(`no line of TOML begins at ${from}`);
    from = cursor.at;
    skip(cursor, space);
    const next = text[cursor.at] ?? "";
    if (next === "#") lines.push({ kind: "comment", text: taken(cursor, comment).trimEnd() });
    else if (next === "[") {
      const isArray = text[cursor.at + 1] === "[";
      cursor.at += isArray ? 2 : 1;
      const key = readKey(cursor);
      skip(cursor, space);
      cursor.at += isArray ? 2 : 1;
      lines.push({ kind: "header", text: isArray ? `[[${key}]]` : `[${key}]`, behind: readBehind(cursor) });
    } else if (next !== "\n" && next !== "\r" && next !== "") {
      const key = readKey(cursor);
      const value = readWritten(cursor);
      lines.push({ kind: "pair", key, value, behind: readBehind(cursor) });
    } else lines.push({ kind: "blank" });
    skip(cursor, space);
    skip(cursor, lineEnd);
  }
  return lines;
}

interface Cursor {
  readonly text: string;
  at: number;
}

const space = /[ \t]*/y;
const lineEnd = /(?:\r?\n)?/y;
const comment = /#[^\n]*/y;
const bareKey = /[A-Za-z0-9_-]+/y;
const quoted = /"""(?:[^"\\]|\\[^]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5}|"(?:[^"\\]|\\[^])*"|'[^']*'/y;
/** A date and a time may have a space between them. */
const scalar = /\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,\]}#]+/y;

function take({ text, at }: Cursor, pattern: RegExp): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

function skip(cursor: Cursor, pattern: RegExp): void {
  cursor.at += take(cursor, pattern).length;
}

function taken(cursor: Cursor, pattern: RegExp): string {
  const found = take(cursor, pattern);
  cursor.at += found.length;
  return found;
}

/** Reads a key and the space behind it, and past the `=` of a pair. */
function readKey(cursor: Cursor): string {
  const parts: string[] = [];
  for (;;) {
    skip(cursor, space);
    parts.push(taken(cursor, bareKey) || taken(cursor, quoted));
    skip(cursor, space);
    const next = cursor.text[cursor.at];
    if (next === "=") cursor.at++;
    if (next !== ".") return parts.join(".");
    cursor.at++;
  }
}

function readBehind(cursor: Cursor): string | undefined {
  skip(cursor, space);
  const found = taken(cursor, comment).trimEnd();
  return found === "" ? undefined : found;
}

/** Reads a value. The parser has limited how deep it is nested. */
function readWritten(cursor: Cursor): WrittenValue {
  skip(cursor, space);
  const next = cursor.text[cursor.at] ?? "";
  if (next === '"' || next === "'") return toScalar(taken(cursor, quoted));
  if (next !== "[" && next !== "{") return toScalar(taken(cursor, scalar));
  cursor.at++;
  return readList(cursor, next === "[" ? "array" : "table");
}

/** Returns the end of the scalar at an index of a valid document. */
export function endOfScalar(text: string, at: number): number {
  const cursor = { text, at };
  skip(cursor, text[at] === '"' || text[at] === "'" ? quoted : scalar);
  return cursor.at;
}

const toScalar = (text: string): WrittenScalar => ({
  kind: "scalar",
  text,
  width: text.includes("\n") ? Infinity : text.length,
});

function readList(cursor: Cursor, kind: WrittenList["kind"]): WrittenList {
  const items: ListItem[] = [];
  const close = kind === "array" ? "]" : "}";
  for (;;) {
    const { comments, breaks, behind } = readBetween(cursor, items.length > 0);
    const last = items.at(-1);
    if (behind !== undefined && last !== undefined) last.behind = join(last.behind, behind);
    if (cursor.text[cursor.at] === close) {
      cursor.at++;
      return { kind, items, rest: comments, width: widthOf(kind, items, comments) };
    }
    const key = kind === "table" ? readKey(cursor) : undefined;
    const value = readWritten(cursor);
    if (value.kind === "scalar" && value.text === "")
      throw new Error(`no value of TOML begins at ${cursor.at}`);
    items.push({ before: comments, hasBlankLine: breaks, key, value, behind: undefined });
    // Comments between an item and its comma.
    const more = readBetween(cursor, true);
    const found = [...(more.behind === undefined ? [] : [more.behind]), ...more.comments];
    const own = items.at(-1) as ListItem;
    if (found.length > 1) append(own.before, found.slice(0, -1));
    own.behind = found.at(-1);
    if (cursor.text[cursor.at] === ",") cursor.at++;
  }
}

const join = (one: string | undefined, other: string): string =>
  one === undefined ? other : `${one} ${other}`;

/** Reads spaces, line ends and comments. The comment on the line where that begins is `behind` what precedes it. */
function readBetween(
  cursor: Cursor,
  hasItem: boolean,
): { comments: string[]; breaks: boolean; behind: string | undefined } {
  const comments: string[] = [];
  let behind: string | undefined;
  let lines = 0;
  let breaks = false;
  for (;;) {
    skip(cursor, space);
    const next = cursor.text[cursor.at];
    if (next === "#") {
      const found = taken(cursor, comment).trimEnd();
      if (lines === 0 && hasItem && behind === undefined && comments.length === 0) behind = found;
      else comments.push(found);
    } else if (next === "\n" || next === "\r") {
      skip(cursor, lineEnd);
      lines++;
      // Only the blank line before the first comment is kept.
      if (comments.length === 0 && lines > 1) breaks = true;
    } else return { comments, breaks, behind };
  }
}

function widthOf(kind: WrittenList["kind"], items: readonly ListItem[], rest: readonly string[]): number {
  if (rest.length > 0) return Infinity;
  let width = kind === "table" && items.length > 0 ? 4 : 2;
  for (const [at, { before, behind, key, value }] of items.entries()) {
    if (before.length > 0 || behind !== undefined) return Infinity;
    width += (at === 0 ? 0 : 2) + (key === undefined ? 0 : key.length + 3) + value.width;
  }
  return width;
}
