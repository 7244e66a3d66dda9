import { ToolError } from "../catalog/errors.ts";
import { DataError } from "../lib/data/data-error.ts";
import { fromJson } from "../lib/data/from-json.ts";
import { jsonLength } from "../lib/data/json-length.ts";
import { checkLength, maxResultLength } from "../lib/data/result-length.ts";
import { toJson } from "../lib/data/to-json.ts";
import { type Dictionary, isDictionary, type Value } from "../lib/data/value.ts";
import { findPointers } from "../lib/json/find-pointers.ts";
import { locateAll } from "../lib/json/position.ts";
import { refusePlace, refusingJson } from "./refusal.ts";

/** Reads a JSON document, of `field` where that is not `data`. @throws ToolError invalid_document */
export function readValue(text: string, field?: string): Value {
  return refusingJson(() => fromJson(text), field);
}

/** Reads a JSON document that has to be an object, `expected` in words. @throws ToolError invalid_document */
export function readDictionary(text: string, field: string, expected: string): Dictionary {
  const value = readValue(text, field);
  if (isDictionary(value)) return value;
  throw refuseValueAt(text, "", `Expected ${expected}.`, field);
}

/** The JSON text of a result. @throws ToolError invalid_document where it grows beyond all measure. */
export function writeValue(value: Value, indent = 2): string {
  try {
    // Measured first: a value whose parts are the same in many places is small until it is written.
    checkLength(jsonLength(value, indent, maxResultLength));
    return toJson(value, indent);
  } catch (error) {
    throw error instanceof DataError ? new ToolError("invalid_document", error.message) : error;
  }
}

/** The refusal of a valid JSON document, of `field` where that is not `data`, for what it says at `pointer`. */
export function refuseValueAt(text: string, pointer: string, message: string, field?: string): ToolError {
  const [place] = placesOf(text, [{ pointer }]);
  return refusePlace({ ...place, message }, field);
}

/** Adds line, column and offset to whatever points into a valid JSON document. */
export function placesOf<T extends { pointer: string }>(
  text: string,
  found: readonly T[],
): (T & { line: number; column: number; offset: number })[] {
  const bytes = Buffer.from(text);
  const offsets = findPointers(
    bytes,
    found.map(({ pointer }) => pointer),
  );
  const positions = locateAll(bytes, offsets);
  return found.map((one, index) => ({
    ...one,
    ...(positions[index] as { line: number; column: number }),
    offset: offsets[index] as number,
  }));
}
