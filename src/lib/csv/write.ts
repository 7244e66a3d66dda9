import { DocumentFault } from "../fault.ts";
import { toShortPointer } from "../json/pointer.ts";
import { checkLength } from "../data/result-length.ts";
import { isDictionary, isList, type Value } from "../data/value.ts";
import { type Cell, createFlattener } from "./cells.ts";
import { toDelimiter } from "./dialect.ts";

export interface CsvWriteOptions {
  delimiter: string;
  quote: string;
  header: boolean;
  /** The columns to write, in this order; if empty, all in order of occurrence. */
  columns: readonly string[];
  eol: "lf" | "crlf";
  /** Whether nested members become columns `a.b` and `a.0`; otherwise they are written as JSON text. */
  flatten: boolean;
  /** Whether text that a spreadsheet would run gets a leading apostrophe. */
  escapeFormulas: boolean;
  bom: boolean;
  quoteAll: boolean;
  /**
   * The notation of a record without members: as empty fields, as an empty line, or not at all; `skip-blank`
   * skips every record without content.
   */
  emptyRecords: "fill" | "blank" | "skip" | "skip-blank";
}

/**
 * Tables up to this many cells may be sparse. A new column per record makes n² fields of n records, so larger
 * ones may not.
 */
const leastCells = 1_000_000;
const maxSpread = 50;

/** Writes the records of a value: in {"users": [{…}, {…}]}, those of its one list. @throws DocumentFault as `writeCsv` does */
export function writeRecords(value: Value, options: CsvWriteOptions): string {
  const [[name, records] = ["", null], ...others] = isDictionary(value) ? value : [];
  if (others.length > 0 || !isList(records) || records.length === 0 || !records.every(isDictionary))
    return writeCsv(value, options);
  try {
    return writeCsv(records, options);
  } catch (error) {
    if (!(error instanceof DocumentFault) || error.at.pointer === undefined) throw error;
    const pointer = toShortPointer([name]) + error.at.pointer;
    throw new DocumentFault(error.message, { ...error.at, pointer }, error.rule, error.limit);
  }
}

/**
 * Writes a list of maps or of lists as CSV (RFC 4180); another value is a list of one. The last record has no
 * line end.
 * @throws DocumentFault with a pointer if a record is neither, or two members map to one column
 */
function writeCsv(value: Value, options: CsvWriteOptions): string {
  const rows = isList(value) ? value : [value];
  const delimiter = toDelimiter(options.delimiter);
  const eol = options.eol === "crlf" ? "\r\n" : "\n";
  const toField = createQuoter(delimiter, options);
  const maps = rows.some(isDictionary);
  const flattener = createFlattener(options);
  const records = rows.map((row, index) => toRecord(row, index, maps, flattener.add));
  const columns = options.columns.length > 0 ? options.columns : [...flattener.columns.keys()];
  const given = records.reduce(
    (sum, record) => sum + (Array.isArray(record) ? record.length : record.size),
    0,
  );
  if (maps && records.length * columns.length > Math.max(leastCells, given * maxSpread)) {
    throw new DocumentFault(
      `${records.length} records have ${columns.length} columns in total, but each has few of them; name fewer columns.`,
      {},
      "result-too-large",
    );
  }
  let out = options.bom ? "\uFEFF" : "";
  let empty = true;
  const write = (fields: string): void => {
    out += empty ? fields : eol + fields;
    empty = false;
    checkLength(out.length);
  };
  if ((maps || options.columns.length > 0) && options.header && columns.length > 0)
    write(columns.map((column) => toField(column, true)).join(delimiter));
  for (const record of records) {
    const text = recordText(record, columns, toField, delimiter, options);
    if (text !== undefined) write(text);
  }
  return out;
}

function toRecord(
  row: Value,
  index: number,
  maps: boolean,
  add: (row: Value, path: (string | number)[]) => Map<string, Cell>,
): Cell[] | Map<string, Cell> {
  if (maps && !isDictionary(row)) throw notAlike(index, "an object, as the others are");
  if (!maps && !isList(row)) throw notAlike(index, "an object or an array");
  const cells = add(row, [index]);
  return maps ? cells : [...cells.values()];
}

const notAlike = (index: number, expected: string): DocumentFault =>
  new DocumentFault(`Each record must be ${expected}.`, { pointer: toShortPointer([index]) }, "record");

function recordText(
  record: Cell[] | Map<string, Cell>,
  columns: readonly string[],
  toField: (text: string, isText: boolean) => string,
  delimiter: string,
  { emptyRecords, quote }: CsvWriteOptions,
): string | undefined {
  const size = Array.isArray(record) ? record.length : record.size;
  if (size === 0 && emptyRecords !== "fill") return emptyRecords === "blank" ? "" : undefined;
  const cells = Array.isArray(record) ? record : columns.map((column) => record.get(column));
  const blank = cells.every((cell) => cell === undefined || cell.text.trim() === "");
  if (blank && emptyRecords === "skip-blank") return undefined;
  const text = cells
    .map((cell) => (cell === undefined ? toField("", false) : toField(cell.text, cell.isText)))
    .join(delimiter);
  // An empty line at the end would not be a record; quotes make it a field.
  return text === "" && cells.length > 0 ? quote + quote : text;
}

/** Characters that begin a formula in a spreadsheet (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r]/;

function createQuoter(
  delimiter: string,
  { quote, quoteAll, escapeFormulas }: CsvWriteOptions,
): (text: string, isText: boolean) => string {
  const special = new RegExp(
    `[\\r\\n]|^\\s|\\s$|${RegExp.escape(quote)}|${RegExp.escape(delimiter)}|^\\uFEFF`,
  );
  return (text, isText) => {
    const danger = escapeFormulas && isText && formula.test(text);
    const safe = danger ? `'${text}` : text;
    if (!danger && !quoteAll && !special.test(safe)) return safe;
    return quote + safe.replaceAll(quote, quote + quote) + quote;
  };
}
