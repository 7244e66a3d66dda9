import { isFullDate } from "../time/day.ts";
import type { TextFinding } from "../bounded-findings.ts";
import { toDelimiter } from "./dialect.ts";
import { type CsvDialect, type CsvRecord, lexCsv } from "./lex.ts";
import { describeRagged } from "./read.ts";

export const columnTypes = ["integer", "number", "boolean", "date", "nonempty"] as const;

export type ColumnType = (typeof columnTypes)[number];

export interface CsvValidateOptions {
  delimiter: string;
  quote: string;
  header: boolean;
  /** The columns that the header must have, in this order; empty allows any. */
  columns: readonly string[];
  /** By column name, or without a header by index from 0. */
  types: ReadonlyMap<string, ColumnType>;
  maxErrors: number;
}

/**
 * Returns the faults of a CSV text, in order as far as known: quotes, header, lengths of records, types of
 * fields.
 */
export function validateCsv(text: string, options: CsvValidateOptions): TextFinding[] {
  const faults: TextFinding[] = [];
  const { quote, header, types, maxErrors } = options;
  const dialect: CsvDialect = {
    delimiter: toDelimiter(options.delimiter, text, quote),
    quote,
    comment: "",
    quotes: "strict",
  };
  const add = (
    message: string,
    rule: string,
    index: number,
    severity: TextFinding["severity"] = "error",
  ): void => {
    if (faults.length < maxErrors) faults.push({ message, rule, index, severity });
  };
  let names: readonly string[] | undefined;
  const fields = (record: CsvRecord): void => {
    for (const [at, field] of record.fields.entries()) {
      const type = types.get(names?.[at] ?? String(at));
      if (type !== undefined && faults.length < maxErrors && !fits(field, type))
        add(`This field is not of the type ${type}.`, "type", placeOfField(text, record, at, dialect));
    }
  };
  lexCsv(text, dialect, {
    onFault: ({ message, at, rule }) => add(message, rule, at.index ?? 0),
    onBareQuote: (index) =>
      add(
        "A field that contains a quote must be quoted, with the inner quote written twice.",
        "bare-quote",
        index,
      ),
    onRecord(record) {
      const first = names === undefined;
      names ??= record.fields;
      if (first && header) checkHeader(record, options, add, (at) => placeOfField(text, record, at, dialect));
      if (first && !header) names = record.fields.map((_, at) => String(at));
      if (record.fields.length !== names.length)
        add(describeRagged(record.fields.length, names.length), "ragged", record.from);
      if (types.size > 0 && !(first && header)) fields(record);
      return faults.length < maxErrors;
    },
  });
  if (names === undefined) add("The document has no records.", "empty", 0);
  return faults;
}

function checkHeader(
  { fields, from }: CsvRecord,
  { columns, types, maxErrors }: CsvValidateOptions,
  add: (message: string, rule: string, index: number, severity?: TextFinding["severity"]) => void,
  placeOf: (at: number) => number,
): void {
  const met = new Set<string>();
  let reported = 0;
  for (const [at, name] of fields.entries()) {
    const twice = met.has(name);
    met.add(name);
    // Locating a fault means counting up to it, so stop after `maxErrors`.
    if ((!twice && name !== "") || reported >= maxErrors) continue;
    reported++;
    if (twice) add(`The column ${show(name)} occurs twice.`, "duplicate-header", placeOf(at));
    else add("This column has no name.", "empty-header", placeOf(at), "warning");
  }
  const wrong = columns.findIndex((column, at) => fields[at] !== column);
  if (wrong >= 0 || (columns.length > 0 && fields.length > columns.length)) {
    const at = wrong < 0 ? columns.length : wrong;
    const expected = at < columns.length ? show(columns[at] as string) : "no further column";
    const found = at < fields.length ? show(fields[at] as string) : "the end of the header";
    add(
      `Expected ${expected} as column ${at + 1}; found ${found}.`,
      "header",
      at < fields.length ? placeOf(at) : from,
    );
  }
  for (const column of types.keys())
    if (!met.has(column)) add(`The column ${show(column)} has a type, but is missing.`, "header", from);
}

function fits(field: string, type: ColumnType): boolean {
  if (type === "nonempty") return field.trim() !== "";
  if (field === "") return true;
  if (type === "integer") return /^[+-]?\d+$/.test(field);
  if (type === "number") return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(field);
  if (type === "boolean") return /^(?:true|false)$/i.test(field);
  return isFullDate(field);
}

/** Returns the start of a field of a record. */
function placeOfField(
  text: string,
  { from, fields }: CsvRecord,
  index: number,
  { delimiter, quote }: CsvDialect,
): number {
  let at = from;
  for (let before = 0; before < index; before++) {
    let length = (fields[before] as string).length;
    // A quoted field is longer than its value by its quotes and by each doubled quote.
    if (text.startsWith(quote, at)) length += 2 + ((fields[before] as string).split(quote).length - 1);
    at += length + delimiter.length;
  }
  return at;
}

const show = (name: string): string =>
  JSON.stringify(name.length > 64 ? `${name.slice(0, 64).toWellFormed()}…` : name);
