import { DocumentFault } from "../fault.ts";

export interface CsvDialect {
  /** One or more characters. */
  delimiter: string;
  /** One character; doubled, it is a literal quote. */
  quote: string;
  /** Lines that begin with this are skipped; "" for none. */
  comment: string;
  /**
   * `strict` refuses text after a closing quote and an unclosed quote. `lenient` allows space after one, and
   * takes any other quote that does not end a field as text.
   */
  quotes: "strict" | "lenient";
  /** Whether spaces and tabs around the quotes of a field are skipped. */
  trim?: boolean;
}

/** The facts about a part of a document that its text alone does not show. */
export interface CsvPart {
  /** Whether it begins the document, perhaps with a byte order mark; true by default. */
  isBeginning?: boolean;
  /** By default the text is searched for it. */
  lineEnd?: LineEnd;
}

export type LineEnd = "\n" | "\r";

export interface CsvRecord {
  fields: string[];
  /** Offset in UTF-16 code units, without the line end. */
  from: number;
  to: number;
  /** Whether a field is quoted: `""` is a value, an empty line is not. */
  quoted: boolean;
}

export interface CsvHandler {
  /** Returns false to stop reading. */
  onRecord(record: CsvRecord): boolean | void;
  /** Called for faults after which reading continues as in lenient mode; without it, they are thrown. */
  onFault?(fault: DocumentFault): void;
  /** Called for a quote inside an unquoted field. */
  onBareQuote?(index: number): void;
}

/**
 * Reads records (RFC 4180). Line ends are CR LF, LF, or CR if the first record ends with one; a final line
 * end does not begin a record. Skips a byte order mark.
 */
export function lexCsv(
  text: string,
  dialect: CsvDialect,
  handler: CsvHandler,
  { isBeginning = true, lineEnd = findLineEnd(text, dialect.quote) }: CsvPart = {},
): void {
  const { delimiter, quote, comment } = dialect;
  const scan: Scan = {
    text,
    dialect,
    handler,
    lineEnd,
    quotes: createFinder(text, quote),
    delimiters: createFinder(text, delimiter),
    ends: createFinder(text, lineEnd),
  };
  let at = isBeginning && text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const stop = scan.ends(at);
    if (comment !== "" && text.startsWith(comment, at)) {
      at = stop + 1;
      continue;
    }
    let record: CsvRecord;
    if (scan.quotes(at) > stop) {
      const to = endOfLine(scan, at, stop);
      record = { fields: text.slice(at, to).split(delimiter), from: at, to, quoted: false };
      at = stop + 1;
    } else {
      record = readQuoted(scan, at);
      at = record.to + (lineEnd === "\n" && text.startsWith("\r\n", record.to) ? 2 : 1);
    }
    if (handler.onRecord(record) === false) return;
  }
}

interface Scan {
  readonly text: string;
  readonly dialect: CsvDialect;
  readonly handler: CsvHandler;
  readonly lineEnd: LineEnd;
  readonly quotes: Finder;
  readonly delimiters: Finder;
  readonly ends: Finder;
}

/** Returns the next match from `at` on, or the length of the text; `at` must not decrease. */
type Finder = (at: number) => number;

/**
 * Searches again only after the last match was passed, so that a text is searched once, however many records
 * it has.
 */
function createFinder(text: string, wanted: string): Finder {
  let next = -1;
  return (at) => {
    if (next < at) {
      const found = text.indexOf(wanted, at);
      next = found < 0 ? text.length : found;
    }
    return next;
  };
}

/** Returns the end of the line before the line end, or the end of the text, at `stop`. */
const endOfLine = ({ text, lineEnd }: Scan, from: number, stop: number): number =>
  lineEnd === "\n" && stop < text.length && stop > from && text.charCodeAt(stop - 1) === 0x0d
    ? stop - 1
    : stop;

/** Reads one record that contains quotes, field by field. */
function readQuoted(scan: Scan, from: number): CsvRecord {
  const { text, dialect, handler } = scan;
  const record: CsvRecord = { fields: [], from, to: from, quoted: false };
  let at = from;
  for (;;) {
    let to: number;
    if (dialect.trim === true) at = skipToQuote(text, at, dialect);
    if (at < text.length && scan.quotes(at) === at) {
      const field = readField(text, at, scan.lineEnd, dialect, handler);
      record.fields.push(field.value);
      record.quoted = true;
      to = field.to;
    } else {
      to = Math.min(scan.delimiters(at), endOfLine(scan, at, scan.ends(at)));
      if (handler.onBareQuote !== undefined && scan.quotes(at) < to) handler.onBareQuote(scan.quotes(at));
      record.fields.push(text.slice(at, to));
    }
    if (to >= text.length || !text.startsWith(dialect.delimiter, to)) {
      record.to = to;
      return record;
    }
    at = to + dialect.delimiter.length;
  }
}

/** Returns the place of a quote that follows only spaces and tabs, otherwise `at`. */
function skipToQuote(text: string, at: number, { delimiter, quote }: CsvDialect): number {
  let next = at;
  while ((text[next] === " " || text[next] === "\t") && !text.startsWith(delimiter, next)) next++;
  return text[next] === quote ? next : at;
}

/** Reads the field whose opening quote is at `at`; `to` is the delimiter or line end after it. */
function readField(
  text: string,
  at: number,
  lineEnd: string,
  { delimiter, quote, quotes, trim = false }: CsvDialect,
  handler: CsvHandler,
): { value: string; to: number } {
  let doubled = false;
  let reported = false;
  const valueOf = (to: number): string => {
    const raw = text.slice(at + 1, to);
    return doubled ? raw.replaceAll(quote + quote, quote) : raw;
  };
  for (let close = text.indexOf(quote, at + 1); close >= 0;) {
    if (text.startsWith(quote, close + 1)) {
      doubled = true;
      close = text.indexOf(quote, close + 2);
      continue;
    }
    let to = close + 1;
    if (quotes === "lenient" || trim)
      while ((text[to] === " " || (trim && text[to] === "\t")) && !text.startsWith(delimiter, to)) to++;
    if (
      to >= text.length ||
      text.startsWith(delimiter, to) ||
      text.startsWith(lineEnd, to) ||
      (lineEnd === "\n" && text.startsWith("\r\n", to))
    )
      return { value: valueOf(close), to };
    if (quotes === "strict" && !reported) {
      reported = true;
      report(
        handler,
        "Only a delimiter or a line end may follow a closing quote; write a literal quote twice.",
        close + 1,
        "quote",
      );
    }
    close = text.indexOf(quote, close + 1);
  }
  if (quotes === "strict" && !reported) report(handler, "This quote is never closed.", at, "unclosed-quote");
  return { value: valueOf(text.length), to: text.length };
}

function report(handler: CsvHandler, message: string, index: number, rule: string): void {
  const fault = new DocumentFault(message, { index }, rule);
  if (handler.onFault === undefined) throw fault;
  handler.onFault(fault);
}

/** Returns the line end of the first record. */
export const findLineEnd = (text: string, quote: string): LineEnd =>
  text.includes("\r") ? (firstLineEnd(text, quote) ?? "\n") : "\n";

/** Returns the line end of the first record; undefined if it does not end with one. */
export function firstLineEnd(text: string, quote: string): LineEnd | undefined {
  const ends = /\r\n?|\n/g;
  let open = text.indexOf(quote);
  for (;;) {
    const end = ends.exec(text);
    if (end === null) return undefined;
    if (open < 0 || open > end.index) return end[0] === "\r" ? "\r" : "\n";
    const close = text.indexOf(quote, open + 1);
    if (close < 0) return undefined;
    ends.lastIndex = close + 1;
    open = text.indexOf(quote, close + 1);
  }
}
