import { counted } from "../counted.ts";
import { DocumentFault } from "../fault.ts";
import { inferValue } from "../data/infer.ts";
import { createUnflattener } from "../data/unflatten.ts";
import type { Dictionary, Value } from "../data/value.ts";
import { toDelimiter } from "./dialect.ts";
import { type CsvPart, type CsvRecord, findLineEnd, type LineEnd, lexCsv } from "./lex.ts";

export interface CsvReadOptions {
  /** One or more characters, `tab` or `auto`. */
  delimiter: string;
  quote: string;
  comment: string;
  quotes: "strict" | "lenient";
  /** Whether the first record names the columns: then each other record is a map, else a list. */
  header: boolean;
  /** A repeated name is refused or numbered: `a`, `a_1`. */
  duplicateHeaders: "error" | "rename";
  /**
   * The treatment of a record of another length than the first; `pad` fills a short one with "", `keep` leaves it
   * short.
   */
  ragged: "error" | "pad" | "keep";
  /** The treatment of an empty line; `skip-blank` also skips records of only space. */
  emptyLines: "keep" | "skip" | "skip-blank";
  types: "none" | "infer";
  /** Removes white space at the ends of fields. */
  trim?: boolean;
  /** Whether an empty field is null; it is "" by default. */
  emptyAsNull?: boolean;
  /** Nests the values of columns with dotted names. */
  unflatten?: boolean;
  /** Columns with inferred types, by name or without a header by index from 0; all columns if empty. */
  inferColumns: readonly string[];
  /** Most records to read. */
  limit: number;
}

/** Most fields that padding may add to a text: a wide header over many empty lines multiplies the document. */
const maxPadded = 5_000_000;

/**
 * Reads the records of a CSV text as a list.
 * @throws DocumentFault with the place of the fault
 */
export function readCsv(text: string, options: CsvReadOptions): Value {
  const records: Value[] = [];
  const toRecord = createRecordReader(options);
  readRows(text, options, (names, values) => {
    records.push(toRecord(names, values));
    return true;
  });
  return records;
}

/** Returns a function that makes the value of a record. */
export function createRecordReader(
  options: CsvReadOptions,
): (names: readonly string[] | undefined, values: readonly string[]) => Value {
  const infers = createColumnTest(options);
  const nest = options.unflatten === true ? createUnflattener(".") : undefined;
  const read = (value: string, column: string): Value => {
    if (value === "" && options.emptyAsNull === true) return null;
    return infers?.(column) === true ? inferValue(value) : value;
  };
  return (names, values) => {
    const record = names === undefined ? toList(values, read) : toMap(names, values, read);
    return nest !== undefined && record instanceof Map ? nest(record) : record;
  };
}

/** Called with each record after the header, as wide as the options require; `from` is its index in the text. Returns false to stop. */
type OnRow = (names: readonly string[] | undefined, values: readonly string[], from: number) => boolean;

/** Passes each record after the header to `onRow`. */
export function readRows(text: string, options: CsvReadOptions, onRow: OnRow): void {
  const { comment, quote } = options;
  const delimiter = toDelimiter(options.delimiter, text, quote, comment);
  createRowReader({ ...options, delimiter })(text, onRow, { isLast: true });
}

/** Reads the parts of a document, each of whole records, in order. */
export type RowReader = (text: string, onRow: OnRow, part: CsvPart & { isLast: boolean }) => void;

export function createRowReader(options: CsvReadOptions): RowReader {
  const { delimiter, comment, quote, quotes, limit } = options;
  let names: string[] | undefined;
  let width = -1;
  /** In this part. */
  let padded = 0;
  let rows = 0;

  function take(written: CsvRecord, onRow: OnRow): boolean {
    const record =
      options.trim === true ? { ...written, fields: written.fields.map((field) => field.trim()) } : written;
    if (width < 0) {
      width = record.fields.length;
      if (options.header) {
        names = toNames(record, options);
        return limit > 0;
      }
    }
    const values = toWidth(record, width, options);
    padded += values.length - record.fields.length;
    if (padded > maxPadded)
      throw new DocumentFault(
        "Too many fields are missing to fill them all.",
        { index: record.from },
        "ragged",
      );
    return onRow(names, values, record.from) && ++rows < limit;
  }

  return (text, onRow, { isLast, isBeginning = true, lineEnd = findLineEnd(text, quote) }) => {
    if (rows >= limit) return;
    padded = 0;
    const end = isLast ? beginOfEnd(text, lineEnd, isBeginning) : text.length;
    const onRecord = (written: CsvRecord): boolean => {
      if (isSkipped(written, options)) return true;
      if (width > 1 && written.from === written.to && written.from > end) return true;
      return take(written, onRow);
    };
    const dialect = { delimiter, quote, comment, quotes, trim: options.trim === true };
    lexCsv(text, dialect, { onRecord }, { isBeginning, lineEnd });
  };
}

/** Most characters of empty lines that a spreadsheet or an editor leaves at the end. With one column they are records. */
export const maxEmptyEnd = 1000;

/** Returns the index of the first line end of those at the end of a text; -1 if that is the one before the text. */
function beginOfEnd(text: string, lineEnd: LineEnd, isBeginning: boolean): number {
  const ends = lineEnd === "\r" ? /\r*$/ : /(?:\r?\n)*$/;
  const length = ends.exec(text.slice(-maxEmptyEnd))?.[0].length ?? 0;
  const isAll = !isBeginning && length === text.length && length < maxEmptyEnd;
  return text.length - length - (isAll ? 1 : 0);
}

/** Reports whether a record is skipped as empty. */
export function isSkipped(
  { fields, from, to, quoted }: CsvRecord,
  { emptyLines }: Pick<CsvReadOptions, "emptyLines">,
): boolean {
  if (emptyLines === "keep") return false;
  if (to === from && !quoted) return true;
  return emptyLines === "skip-blank" && fields.every((field) => field.trim() === "");
}

function toNames({ fields, from }: CsvRecord, { duplicateHeaders }: CsvReadOptions): string[] {
  const names = new Set<string>();
  const taken = new Set(fields);
  const next = new Map<string, number>();
  for (const field of fields) {
    let name = field;
    if (names.has(name)) {
      if (duplicateHeaders === "error") {
        const message = `The column ${JSON.stringify(name.slice(0, 64))} occurs twice; rename one, or set duplicateHeaders to rename.`;
        throw new DocumentFault(message, { index: from }, "duplicate-header");
      }
      // A count for each name: searching from 1 every time would be quadratic.
      let count = next.get(field) ?? 1;
      while (names.has(`${field}_${count}`) || taken.has(`${field}_${count}`)) count++;
      name = `${field}_${count}`;
      next.set(field, count + 1);
    }
    names.add(name);
  }
  return [...names];
}

function toWidth(record: CsvRecord, width: number, { ragged, header }: CsvReadOptions): string[] {
  const { fields, from } = record;
  const missing = width - fields.length;
  if (missing === 0 || (ragged === "keep" && (!header || missing > 0))) return fields;
  if (ragged === "error" || missing < 0) {
    const empty = fields.length === 1 && fields[0] === "";
    const message = empty
      ? `This line is empty; the first record has ${width} fields. Remove it, or set emptyLines to skip.`
      : `${describeRagged(fields.length, width)}${acceptRagged(missing, header)}`;
    throw new DocumentFault(message, { index: from }, "ragged");
  }
  return [...fields, ...Array.from({ length: missing }, () => "")];
}

function acceptRagged(missing: number, header: boolean): string {
  if (missing > 0) return " To accept it, set ragged to pad or keep.";
  // A field beyond the last name has none.
  return header ? "" : " To accept it, set ragged to keep.";
}

export const describeRagged = (length: number, width: number): string =>
  `This record has ${counted(length, "field")}; the first has ${width}.`;

/** Reports whether the values of a column are inferred. */
type ColumnTest = (column: string) => boolean;

function createColumnTest({ types, inferColumns }: CsvReadOptions): ColumnTest | undefined {
  if (types === "none") return undefined;
  const named = new Set(inferColumns);
  return (column) => named.size === 0 || named.has(column);
}

/** Reads the value of a column. */
type ReadValue = (value: string, column: string) => Value;

const toList = (values: readonly string[], read: ReadValue): Value[] =>
  values.map((value, index) => read(value, String(index)));

function toMap(names: readonly string[], values: readonly string[], read: ReadValue): Dictionary {
  const map: Dictionary = new Map();
  for (let index = 0; index < values.length; index++) {
    const name = names[index] as string;
    map.set(name, read(values[index] as string, name));
  }
  return map;
}
