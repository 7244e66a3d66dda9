import { DocumentFault } from "../fault.ts";
import { toDelimiter } from "./dialect.ts";
import { type CsvDialect, type CsvPart, findLineEnd, firstLineEnd, type LineEnd, lexCsv } from "./lex.ts";
import { maxEmptyEnd } from "./read.ts";

/** Finds the ends of records in a CSV text that arrives in parts. */
export interface CsvCutter {
  /**
   * Returns the index behind the last record that is whole, whatever follows; 0 if there is none. Empty lines, which may be the end
   * of the document, are left for the next part. A text with a fault is cut behind the fault.
   */
  cut(text: string): number;
  /** Returns what is known of a part that was cut off, or of the last one, and the delimiter of the document. */
  known(part: string): { delimiter: string; part: CsvPart };
}

/** Characters in which the delimiter is detected. */
const sampleLength = 65_536;

/** @param dialect With strict quotes: lenient ones may be closed by the last character of a document. */
export function createCsvCutter(dialect: CsvDialect): CsvCutter {
  /** The delimiter and the line end of the first part. */
  let found: { delimiter: string; lineEnd: LineEnd } | undefined;
  let parts = 0;

  const toFound = (text: string, lineEnd: LineEnd): { delimiter: string; lineEnd: LineEnd } => ({
    delimiter: toDelimiter(dialect.delimiter, text, dialect.quote, dialect.comment),
    lineEnd,
  });

  return {
    cut(text) {
      // LF may follow.
      const arrived = text.endsWith("\r") ? text.slice(0, -1) : text;
      if (found === undefined && dialect.delimiter === "auto" && arrived.length < sampleLength) return 0;
      const first = found?.lineEnd ?? firstLineEnd(arrived, dialect.quote);
      if (first === undefined) return 0;
      const { delimiter, lineEnd } = found ?? toFound(arrived, first);
      const end = endOfRecords(arrived, { ...dialect, delimiter }, { isBeginning: parts === 0, lineEnd });
      if (end > 0) found = { delimiter, lineEnd };
      return end;
    },
    known(part) {
      found ??= toFound(part, findLineEnd(part, dialect.quote));
      return { delimiter: found.delimiter, part: { isBeginning: parts++ === 0, lineEnd: found.lineEnd } };
    },
  };
}

function endOfRecords(text: string, dialect: CsvDialect, part: CsvPart & { lineEnd: LineEnd }): number {
  /** The beginnings of the last record that follows one that is not empty, and of the last one that is far from the end. */
  let [filled, early] = [0, 0];
  let wasFilled = false;
  let isOpen = false;
  try {
    lexCsv(
      text,
      dialect,
      {
        onRecord({ from, to }) {
          if (wasFilled) filled = from;
          if (from <= text.length - maxEmptyEnd - 2) early = from;
          wasFilled = to > from;
        },
      },
      part,
    );
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    // The next block may continue the delimiter or the line end at the end of the text.
    const { rule, at } = error;
    isOpen = rule === "unclosed-quote" || (at.index ?? 0) > text.length - 2 - dialect.delimiter.length;
    if (!isOpen) return text.length;
  }
  if (!isOpen && wasFilled && text.endsWith(part.lineEnd)) return text.length;
  return Math.max(filled, early);
}
