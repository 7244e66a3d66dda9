import { checkLength } from "../data/result-length.ts";
import { toJson } from "../data/to-json.ts";
import { type CsvReadOptions, readCsv, readRows } from "./read.ts";

/**
 * Large enough to outweigh the call into the engine, small enough that no part of the result exceeds a
 * string.
 */
const batchSize = 1000;
const batchChars = 1_000_000;

/** Like `toJson(readCsv(text, options), indent)`; V8 writes whatever it can write without loss. */
export function csvToJsonText(text: string, options: CsvReadOptions, indent: number): string {
  if (options.types === "infer" || options.emptyAsNull === true || options.unflatten === true)
    return toJson(readCsv(text, options), indent);
  const parts: string[] = [];
  let length = 0;
  let batch: (Record<string, string> | readonly string[])[] = [];
  let batchLength = 0;
  let ordered: boolean | undefined;
  const flush = (): void => {
    const part = stringify(batch, indent);
    length += part.length;
    checkLength(length);
    parts.push(part);
    batch = [];
    batchLength = 0;
  };
  readRows(text, options, (names, values) => {
    ordered ??= names?.every(keepsOrder) ?? true;
    if (ordered) batch.push(names === undefined ? [...values] : toObject(names, values));
    batchLength += values.reduce((sum, value) => sum + value.length, 0);
    if (batch.length >= batchSize || batchLength > batchChars) flush();
    return ordered;
  });
  if (ordered === false) return toJson(readCsv(text, options), indent);
  if (batch.length > 0) flush();
  return parts.length === 0 ? "[]" : `[${parts.join(",")}${indent === 0 ? "" : "\n"}]`;
}

/** Writes the items of an array, without its brackets. */
function stringify(items: readonly unknown[], indent: number): string {
  try {
    return JSON.stringify(items, null, indent).slice(1, indent === 0 ? -1 : -2);
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
