import { DocumentFault } from "./fault.ts";

export interface Line {
  /** Without the white space around it. */
  text: string;
  /** Of `text` in the document, in UTF-16 code units from 0. */
  index: number;
}

/**
 * The lines that are not blank.
 * @throws DocumentFault where there are more than `limit` of them.
 */
export function* readLines(document: string, limit: number): Generator<Line> {
  let count = 0;
  for (const { 0: text, index } of document.matchAll(/\S(?:.*\S)?/g)) {
    if (++count > limit)
      throw new DocumentFault(`There are more than ${limit} lines here; send fewer.`, { index });
    yield { text, index };
  }
}

/** A document of one line without the line end that editors and shells put after it. */
export const withoutLineEnd = (document: string): string => document.replace(/\r?\n$/, "");

/** Runs `read` on a line, so that the place of a fault in the line becomes its place in the document. */
export function onLine<T>({ text, index }: Line, read: (text: string) => T): T {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw new DocumentFault(error.message, { index: index + (error.at.index ?? 0) });
  }
}
