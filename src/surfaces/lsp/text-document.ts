import { isObject } from "../../lib/is-object.ts";
import { codes, RequestError } from "./message.ts";

/** The unit in which `character` of a position counts: code units of UTF-16 or UTF-8, or code points. */
export type Encoding = "utf-16" | "utf-8" | "utf-32";

/** A place in a document: a line and a character of it, both from 0. */
export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** The text of an open document, as the client has it. */
export interface TextDocument {
  readonly text: string;
  /** Returns the index, in UTF-16 code units, of a position; places behind the end of a line or of the text lead to that end. */
  indexOf(position: Position): number;
  positionOf(index: number): Position;
}

export function createTextDocument(text: string, encoding: Encoding): TextDocument {
  let made: readonly number[] | undefined;
  const starts = (): readonly number[] => (made ??= startsOf(text));

  const lineEnd = (line: number): number => {
    const next = starts()[line + 1];
    if (next === undefined) return text.length;
    return text[next - 1] === "\n" && text[next - 2] === "\r" ? next - 2 : next - 1;
  };

  return {
    text,
    indexOf({ line, character }) {
      const start = starts()[line];
      if (start === undefined) return text.length;
      const end = lineEnd(line);
      if (encoding === "utf-16") return Math.min(start + character, end);
      let left = character;
      let at = start;
      while (left > 0 && at < end) {
        const point = text.codePointAt(at) as number;
        left -= encoding === "utf-32" ? 1 : utf8Length(point);
        at += point > 0xffff ? 2 : 1;
      }
      return at;
    },
    positionOf(index) {
      const line = lineOf(starts(), index);
      const start = starts()[line] as number;
      const before = text.slice(start, Math.min(index, lineEnd(line)));
      return { line, character: lengthOf(before, encoding) };
    },
  };
}

/** The starts of lines, which end in \n, \r\n or \r. */
function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  return starts;
}

/** Returns the last line that begins at or before an index. */
function lineOf(starts: readonly number[], index: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as number) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

const utf8Length = (point: number): number =>
  point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;

function lengthOf(text: string, encoding: Encoding): number {
  if (encoding === "utf-16") return text.length;
  if (encoding === "utf-8") return Buffer.byteLength(text);
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Most changes of one notification: each copies the text. */
const maxChanges = 1000;

/**
 * Applies the changes of `textDocument/didChange`, each to the result of the one before.
 * @returns undefined if there are too many, so that the text is not known any more
 * @throws RequestError
 */
export function applyChanges(text: string, changes: unknown, encoding: Encoding): string | undefined {
  if (!Array.isArray(changes)) throw new RequestError(codes.invalidParams, "contentChanges must be a list.");
  if (changes.length > maxChanges) return undefined;
  let left = text;
  for (const change of changes as readonly unknown[]) {
    if (!isObject(change) || typeof change["text"] !== "string")
      throw new RequestError(codes.invalidParams, "A change must have a text.");
    const { range, text: inserted } = change as { range?: unknown; text: string };
    if (range === undefined) {
      left = inserted;
      continue;
    }
    const { start, end } = readRange(range);
    const document = createTextDocument(left, encoding);
    const [from, to] = [document.indexOf(start), document.indexOf(end)];
    left = left.slice(0, Math.min(from, to)) + inserted + left.slice(Math.max(from, to));
  }
  return left;
}

/** @throws RequestError */
export function readRange(value: unknown): Range {
  if (!isObject(value)) throw new RequestError(codes.invalidParams, "range must be an object.");
  return { start: readPosition(value["start"]), end: readPosition(value["end"]) };
}

function readPosition(value: unknown): Position {
  const { line, character } = isObject(value) ? value : {};
  if (!isCount(line) || !isCount(character))
    throw new RequestError(codes.invalidParams, "A position must have line and character, from 0.");
  return { line, character };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The smallest edit that makes one text of another; undefined if they are the same. */
export function toEdit(before: TextDocument, after: string): { range: Range; newText: string } | undefined {
  const { text } = before;
  if (text === after) return undefined;
  let start = 0;
  const most = Math.min(text.length, after.length);
  while (start < most && text[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && text[text.length - 1 - end] === after[after.length - 1 - end]) end++;
  // Neither a pair of surrogates nor \r\n is cut.
  while (start > 0 && !isBoundary(text, start)) start--;
  while (end > 0 && !isBoundary(text, text.length - end)) end--;
  while (end > 0 && !isBoundary(after, after.length - end)) end--;
  return {
    range: { start: before.positionOf(start), end: before.positionOf(text.length - end) },
    newText: after.slice(start, after.length - end),
  };
}

const isBoundary = (text: string, at: number): boolean =>
  !/^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(at - 1, at + 1));
