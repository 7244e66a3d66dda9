import { isDictionary, isList, type Value } from "../data/value.ts";
import { type JqValue, numberFrom } from "./value.ts";

/** Converts a value of the common model, whose depth every parser limits. Dates become strings. */
export function fromValue(value: Value): JqValue {
  if (isList(value)) return value.map(fromValue);
  if (isDictionary(value)) return new Map(Array.from(value, ([key, item]) => [key, fromValue(item)]));
  if (typeof value !== "object" || value === null) return value;
  if (value.kind === "number") return numberFrom(value.text);
  if (value.kind !== "nonfinite") return value.text;
  return value.text === "nan" ? Number.NaN : value.text === "inf" ? Infinity : -Infinity;
}
