import { type Dictionary, isDictionary, isList, type Value } from "./value.ts";

/** Returns a value without the members of objects that are null; items of lists keep their places. Recursive: every parser limits the depth. */
export function withoutNulls(value: Value): Value {
  if (isList(value)) return value.map(withoutNulls);
  if (!isDictionary(value)) return value;
  const kept: Dictionary = new Map();
  for (const [key, member] of value) if (member !== null) kept.set(key, withoutNulls(member));
  return kept;
}
