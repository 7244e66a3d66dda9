import { checkLength } from "../data/result-length.ts";
import { toJson } from "../data/to-json.ts";
import type { Value } from "../data/value.ts";
import { toDelimiter } from "./dialect.ts";
import type { CsvPart } from "./lex.ts";
import { createRecordReader, createRowReader, type CsvReadOptions } from "./read.ts";

/**
 * Large enough to outweigh the call into the engine, small enough that no part of the result exceeds a
 * string.
 */
const batchSize = 1000;
const batchChars = 1_000_000;

/** Like `toJson(readCsv(text, options), indent)`; V8 writes whatever it can write without loss. */
export function csvToJsonText(text: string, options: CsvReadOptions, indent: number): string {
  const { quote, comment } = options;
  const delimiter = toDelimiter(options.delimiter, text, quote, comment);
  const parts = createJsonWriter({ ...options, delimiter }, indent)(text, { isLast: true });
  checkLength(parts.reduce((length, part) => length + part.length, 0));
  return parts.join("");
}

/**
 * Returns a function that writes the parts of a document, each of whole records; all that it returns, joined, is the array.
 * @param options With the delimiter itself.
 */
export function createJsonWriter(
  options: CsvReadOptions,
  indent: number,
): (text: string, part: CsvPart & { isLast: boolean }) => string[] {
  const isPlain = options.types === "none" && options.emptyAsNull !== true && options.unflatten !== true;
  const readRows = createRowReader(options);
  const toRecord = createRecordReader(options);
  let ordered: boolean | undefined;
  let begun = false;

  return (text, part) => {
    const parts: string[] = [];
    let batch: unknown[] = [];
    let batchLength = 0;
    const flush = (): void => {
      const items = isPlain && ordered === true ? stringify(batch, indent) : toJson(batch as Value[], indent);
      parts.push(begun ? "," : "[", items.slice(1, indent === 0 ? -1 : -2));
      begun = true;
      batch = [];
      batchLength = 0;
    };
    readRows(
      text,
      (names, values) => {
        ordered ??= names?.every(keepsOrder) ?? true;
        if (isPlain && ordered) batch.push(names === undefined ? [...values] : toObject(names, values));
        else batch.push(toRecord(names, values));
        batchLength += values.reduce((sum, value) => sum + value.length, 0);
        if (batch.length >= batchSize || batchLength > batchChars) flush();
        return true;
      },
      part,
    );
    if (batch.length > 0) flush();
    if (part.isLast) parts.push(!begun ? "[]" : indent === 0 ? "]" : "\n]");
    return parts;
  };
}

function stringify(items: readonly unknown[], indent: number): string {
  try {
    return JSON.stringify(items, null, indent);
  } catch (error) {
    // A field of a hundred megabytes of control characters, escaped, exceeds the longest string.
    if (error instanceof RangeError) checkLength(Number.POSITIVE_INFINITY);
    throw error;
  }
}

/** Objects list keys that look like indexes first, and treat `__proto__` specially. */
const keepsOrder = (name: string): boolean => name !== "__proto__" && !/^\d+$/.test(name);

function toObject(names: readonly string[], values: readonly string[]): Record<string, string> {
  const row: Record<string, string> = {};
  for (let column = 0; column < values.length; column++)
    row[names[column] as string] = values[column] as string;
  return row;
}
