import { DocumentFault } from "./fault.ts";

export interface Line {
  /** Without the surrounding white space. */
  text: string;
  /** Offset of `text` in the document, in UTF-16 code units from 0. */
  index: number;
}

/**
 * Yields the lines that are not blank.
 * @throws DocumentFault if there are more than `limit` of them.
 */
export function* readLines(document: string, limit: number): Generator<Line> {
  let count = 0;
  for (const { 0: text, index } of document.matchAll(/\S(?:.*\S)?/g)) {
    if (++count > limit)
      throw new DocumentFault(`There are more than ${limit} lines here; send fewer.`, { index });
    yield { text, index };
  }
}

/** Removes the line end that editors and shells append to a document of one line. */
export const withoutLineEnd = (document: string): string => document.replace(/\r?\n$/, "");

/** Runs `read` on a line and converts the index of a fault to the document. */
export function onLine<T>({ text, index }: Line, read: (text: string) => T): T {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw new DocumentFault(error.message, { index: index + (error.at.index ?? 0) });
  }
}

/** Returns the line of an index, both as in a text: the line from 1, the index in UTF-16 code units from 0. */
export function lineOf(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Like `lineOf`, for many indexes of one text. */
export function createLineOf(text: string): (index: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at);
  return (index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] as number) < index) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
