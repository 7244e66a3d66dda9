import { checkLength } from "./result-length.ts";
import { isDictionary, isList, type Literal, type Value } from "./value.ts";

export type Scalar = null | boolean | string | Literal;

/**
 * Yields the scalars of a value under keys joined by dots or another separator, list items by their index from 0; an empty map or
 * list becomes a null, so that its key stays. Every parser limits the depth, and so the recursion.
 */
export function* flatEntries(value: Value, prefix = "", separator = "."): Generator<[string, Scalar]> {
  if (isScalar(value)) {
    yield [prefix, value];
    return;
  }
  checkLength(prefix.length);
  if ((isList(value) ? value.length : value.size) === 0 && prefix !== "") yield [prefix, null];
  const start = prefix === "" ? "" : `${prefix}${separator}`;
  for (const [key, item] of value.entries()) {
    // A generator for each scalar would take longer than all else.
    if (isScalar(item)) yield [start + key, item];
    else yield* flatEntries(item, start + key, separator);
  }
}

const isScalar = (value: Value): value is Scalar => !isList(value) && !isDictionary(value);

/** Writes a scalar for formats that know only text: null is empty. */
export function scalarText(value: Scalar): string {
  if (value === null) return "";
  return typeof value === "object" ? value.text : String(value);
}
