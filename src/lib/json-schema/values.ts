import { isDictionary, isList, type Value } from "../data/value.ts";
import { isWholeNumber } from "../number/decimal.ts";
import type { Draft } from "./dialects.ts";
import type { Run } from "./evaluation.ts";

/** Returns the most specific type of a value. 1.0 is an integer, except in draft 4. */
export function typeNameOf(value: Value, draft: Draft): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  if (isList(value)) return "array";
  if (isDictionary(value)) return "object";
  const integer = draft === "4" ? /^-?\d+$/.test(value.text) : isWholeNumber(value.text);
  return integer ? "integer" : "number";
}

/** Returns the numbers of the values of an `enum`, computed once. */
export function enumOf(run: Run, values: readonly Value[]): ReadonlySet<number> {
  const key = values as Value;
  let found = run.enums.get(key);
  if (found === undefined) run.enums.set(key, (found = new Set(values.map(run.numberOf))));
  return found;
}

/** Returns the count that a keyword gives; the meta-schema guarantees that it is one. */
export const toCount = (value: Value): number =>
  typeof value === "object" && value !== null && "text" in value ? Number(value.text) : 0;
