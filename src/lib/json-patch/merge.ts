import { isDictionary, type Value } from "../data/value.ts";

/** Applies a JSON Merge Patch (RFC 7396 §2): null removes, objects merge, everything else replaces. */
export function mergePatch(target: Value, patch: Value): Value {
  if (!isDictionary(patch)) return patch;
  // A patch applied to a value that is not an object starts from an empty object.
  const result: Map<string, Value> = isDictionary(target) ? new Map(target) : new Map();
  for (const [key, value] of patch) {
    if (value === null) result.delete(key);
    else result.set(key, mergePatch(result.get(key) ?? null, value));
  }
  return result;
}
