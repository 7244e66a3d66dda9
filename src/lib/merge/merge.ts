import { createNumbering, equalValues } from "../data/equal.ts";
import { type Dictionary, isDictionary, isList, type List, type Value } from "../data/value.ts";
import { DocumentFault } from "../fault.ts";
import { toShortPointer } from "../json/pointer.ts";

export interface MergeRules {
  /**
   * The result for two lists: the later one; both, one behind the other; the same without items that are there already; or both,
   * with the items merged that have the same value under `arrayKey`.
   */
  arrays: "replace" | "append" | "union" | "key";
  arrayKey: string;
  /** Whether null in a later document removes the member (RFC 7396 §2), or is a value like others. */
  null: "delete" | "keep";
  /** Whether the later of two different values counts, or they are refused. */
  conflict: "last" | "error";
}

/**
 * Merges a document into another one: objects member by member, in the order of the first.
 * @throws DocumentFault with a pointer into the later document
 */
export function mergeValues(first: Value, later: Value, rules: MergeRules): Value {
  const path: (string | number)[] = [];
  return merge(first, later);

  /** Recursive: every parser limits the depth. */
  function merge(one: Value | undefined, other: Value): Value {
    if (isDictionary(other)) {
      if (one === undefined || isDictionary(one)) return mergeMembers(one, other);
      checkConflict(one, other);
      // RFC 7396: what is no object counts as an empty one.
      return mergeMembers(undefined, other);
    }
    if (isList(one ?? null) && isList(other)) return mergeLists(one as List, other);
    if (one !== undefined) checkConflict(one, other);
    return other;
  }

  function mergeMembers(one: Dictionary | undefined, other: Dictionary): Value {
    const merged: Dictionary = new Map(one);
    for (const [key, value] of other) {
      path.push(key);
      if (value === null && rules.null === "delete") merged.delete(key);
      else merged.set(key, merge(merged.get(key), value));
      path.pop();
    }
    return merged;
  }

  function mergeLists(one: List, other: List): Value {
    if (rules.arrays === "append") return [...one, ...other];
    if (rules.arrays === "union") return [...one, ...newItems(one, other)];
    if (rules.arrays === "key") return mergeByKey(one, other);
    checkConflict(one, other);
    return other;
  }

  function mergeByKey(one: List, other: List): Value {
    const merged = [...one];
    const known = new Map<string, number>();
    for (const [at, item] of one.entries()) {
      const key = keyOf(item, rules.arrayKey);
      if (key !== undefined) known.set(key, at);
    }
    for (const [at, item] of other.entries()) {
      path.push(at);
      const key = keyOf(item, rules.arrayKey);
      const found = key === undefined ? undefined : known.get(key);
      if (found === undefined) merged.push(item);
      else merged[found] = merge(merged[found] as Value, item);
      if (key !== undefined && found === undefined) known.set(key, merged.length - 1);
      path.pop();
    }
    return merged;
  }

  function checkConflict(one: Value, other: Value): void {
    if (rules.conflict === "last" || equalValues(one, other)) return;
    const name = path.length === 0 ? "the documents" : toShortPointer(path);
    throw new DocumentFault(
      `Two different values for ${name}; set conflict to last to take the later one.`,
      { pointer: toShortPointer(path) },
      "conflict",
    );
  }
}

/** The items of a list that are not in another one, each once. */
function newItems(one: List, other: List): List {
  const number = createNumbering();
  const known = new Set(one.map(number));
  return other.filter((item) => {
    const own = number(item);
    if (known.has(own)) return false;
    known.add(own);
    return true;
  });
}

/** Identifies an item by a scalar in it. */
function keyOf(item: Value, name: string): string | undefined {
  const found = isDictionary(item) ? item.get(name) : undefined;
  if (found === undefined || isList(found) || isDictionary(found)) return undefined;
  return typeof found === "object" && found !== null ? `${found.kind} ${found.text}` : JSON.stringify(found);
}
