import { DocumentFault } from "../fault.ts";
import { toShortPointer } from "../json/pointer.ts";
import { type Dictionary, isDictionary, type Value } from "../data/value.ts";
import { toJson } from "../data/to-json.ts";
import type { Change } from "./changes.ts";

/** Writes the changes as a JSON Patch (RFC 6902). */
export const toPatch = (changes: readonly Change[]): Value =>
  changes.map(({ op, path, from, value }) => {
    const operation: Dictionary = new Map<string, Value>([
      ["op", op],
      ...(from === undefined ? [] : [["from", from] as const]),
      ["path", path],
    ]);
    if (value !== undefined) operation.set("value", value);
    return operation;
  });

/** Writes one change per line: `- place: value`, `+ place: value`, `~ place: value -> value` or `> place -> place`. */
export const toText = (changes: readonly Change[]): string =>
  changes
    .map(({ op, place, target, value, old }) => {
      const name = JSON.stringify(place);
      if (op === "move") return `> ${name} -> ${JSON.stringify(target)}`;
      if (op === "remove") return `- ${name}: ${toJson(old as Value, 0)}`;
      if (op === "add") return `+ ${name}: ${toJson(value as Value, 0)}`;
      return `~ ${name}: ${toJson(old as Value, 0)} -> ${toJson(value as Value, 0)}`;
    })
    .join("\n");

/** A merge patch cannot express this null: null removes. */
const cannotSetNull = (path: readonly string[]): DocumentFault =>
  new DocumentFault("A merge patch cannot set a member to null: null removes the member. Use format patch.", {
    pointer: toShortPointer(path),
  });

/**
 * Returns the JSON Merge Patch (RFC 7396) from one value to the other.
 * @throws DocumentFault with a pointer into the second document if there is none.
 */
export function toMergePatch(
  from: Value,
  to: Value,
  isEqual: (a: Value, b: Value) => boolean,
  path: string[] = [],
): Value {
  if (!isDictionary(to)) return to;
  if (!isDictionary(from)) return refuseNulls(to, path);
  const patch: Dictionary = new Map();
  for (const key of from.keys()) if (!to.has(key)) patch.set(key, null);
  for (const [key, value] of to) {
    const old = from.get(key);
    if (old !== undefined && isEqual(old, value)) continue;
    if (value === null) throw cannotSetNull([...path, key]);
    patch.set(key, toMergePatch(old ?? null, value, isEqual, [...path, key]));
  }
  return patch;
}

/**
 * An object that replaces another value is merged into an empty object and loses its nulls, except inside
 * arrays.
 */
function refuseNulls(value: Value, path: string[]): Value {
  if (value === null) throw cannotSetNull(path);
  if (isDictionary(value)) for (const [key, member] of value) refuseNulls(member, [...path, key]);
  return value;
}
