import { checkLength } from "./result-length.ts";
import type { Literal, Value } from "./value.ts";

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
  if ((Array.isArray(value) ? value.length : value.size) === 0 && prefix !== "") yield [prefix, null];
  const start = prefix === "" ? "" : `${prefix}${separator}`;
  // Generators and pairs for each scalar would take longer than all else.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item = value[index] as Value;
      if (isScalar(item)) yield [`${start}${index}`, item];
      else yield* flatEntries(item, `${start}${index}`, separator);
    }
    return;
  }
  for (const [key, item] of value) {
    if (isScalar(item)) yield [start + key, item];
    else yield* flatEntries(item, start + key, separator);
  }
}

const isScalar = (value: Value): value is Scalar => !Array.isArray(value) && !(value instanceof Map);

/** Writes a scalar for formats that know only text: null is empty. */
export function scalarText(value: Scalar): string {
  if (value === null) return "";
  return typeof value === "object" ? value.text : String(value);
}
