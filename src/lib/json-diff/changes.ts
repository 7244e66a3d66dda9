import { DocumentFault } from "../fault.ts";
import { escapeToken } from "../json/pointer.ts";
import { createNumbering, type Numbering } from "../data/equal.ts";
import { type Dictionary, isDictionary, isList, type List, type Value } from "../data/value.ts";
import { align } from "./align.ts";

export interface DiffOptions {
  /** Whether the order of arrays matters; `key` pairs objects with the same value under `arrayKey`. */
  arrays: "ordered" | "set" | "key";
  arrayKey: string;
  /** Whether strings that differ in the case of letters are equal. */
  ignoreCase?: boolean;
}

/** One difference. In order, changes form a JSON Patch (RFC 6902). */
export interface Change {
  op: "add" | "remove" | "replace";
  /** RFC 6901, in the document as changed so far. */
  path: string;
  /** RFC 6901: in the first document, or for additions in the second. */
  place: string;
  /** The new value, except for removals. */
  value?: Value;
  /** The old value, except for additions. */
  old?: Value;
}

const maxPointers = 32 * 1024 * 1024;

/**
 * Returns the changes from one value to the other; none if they are equal, numbers by value and members in
 * any order.
 */
export function findChanges(from: Value, to: Value, options: DiffOptions): Change[] {
  const numberOf = createNumbering((list) => isUnordered(list, options), options);
  const walk: Walk = { options, numberOf, changes: [], pointers: 0 };
  compare(walk, from, to, { path: "", left: "", right: "" });
  return walk.changes;
}

/** Returns a function that reports whether two values are equal under these options. */
export function createEquality(options: DiffOptions): (a: Value, b: Value) => boolean {
  const numberOf = createNumbering((list) => isUnordered(list, options), options);
  return (a, b) => numberOf(a) === numberOf(b);
}

interface Walk {
  options: DiffOptions;
  numberOf: Numbering;
  changes: Change[];
  /** Total length of all pointers. */
  pointers: number;
}

/** Pointers to one value: as the patch sees it, in the first document, and in the second. */
interface Place {
  path: string;
  left: string;
  right: string;
}

const step = ({ path, left, right }: Place, now: string | number, before = now, after = now): Place => ({
  path: `${path}/${escapeToken(now)}`,
  left: `${left}/${escapeToken(before)}`,
  right: `${right}/${escapeToken(after)}`,
});

function report(walk: Walk, change: Change): void {
  walk.pointers += change.path.length + change.place.length + 1;
  if (walk.pointers > maxPointers)
    throw new DocumentFault(
      "The documents differ in too many deep places to list them all.",
      {},
      "too-large",
    );
  walk.changes.push(change);
}

/** Recursive: the parser limits documents to 512 levels. */
function compare(walk: Walk, from: Value, to: Value, place: Place): void {
  if (walk.numberOf(from) === walk.numberOf(to)) return;
  if (isDictionary(from) && isDictionary(to)) return compareMembers(walk, from, to, place);
  if (isList(from) && isList(to)) {
    const unordered = isUnordered(from, walk.options) && isUnordered(to, walk.options);
    return unordered ? compareSets(walk, from, to, place) : compareItems(walk, from, to, place);
  }
  report(walk, { op: "replace", path: place.path, place: place.left, value: to, old: from });
}

function compareMembers(walk: Walk, from: Dictionary, to: Dictionary, place: Place): void {
  for (const [key, old] of from) {
    const here = step(place, key);
    const value = to.get(key);
    if (value === undefined) report(walk, { op: "remove", path: here.path, place: here.left, old });
    else compare(walk, old, value, here);
  }
  for (const [key, value] of to) {
    if (from.has(key)) continue;
    const here = step(place, key);
    report(walk, { op: "add", path: here.path, place: here.right, value });
  }
}

function compareItems(walk: Walk, from: List, to: List, place: Place): void {
  const kept = align(from.map(walk.numberOf), to.map(walk.numberOf));
  let left = 0;
  let right = 0;
  for (const [nextLeft, nextRight] of [...kept, [from.length, to.length] as const]) {
    // Items between two that stay are paired by position.
    while (left < nextLeft && right < nextRight) {
      compare(walk, from[left] as Value, to[right] as Value, step(place, right, left, right));
      left++;
      right++;
    }
    for (; left < nextLeft; left++) {
      const here = step(place, right, left);
      report(walk, { op: "remove", path: here.path, place: here.left, old: from[left] as Value });
    }
    for (; right < nextRight; right++) {
      const here = step(place, right);
      report(walk, { op: "add", path: here.path, place: here.right, value: to[right] as Value });
    }
    left++;
    right++;
  }
}

/**
 * Compares arrays whose order does not matter: removals run from the end, so that indexes stay valid;
 * additions are appended.
 */
function compareSets(walk: Walk, from: List, to: List, place: Place): void {
  const identify = createIdentity(walk);
  const waiting = new Map<number, number[]>();
  for (const [index, item] of [...to.entries()].toReversed()) {
    const id = identify(item);
    const indexes = waiting.get(id);
    if (indexes === undefined) waiting.set(id, [index]);
    else indexes.push(index);
  }
  const pairs = from.map((item) => waiting.get(identify(item))?.pop());
  for (const [index, pair] of [...pairs.entries()].toReversed()) {
    if (pair !== undefined) continue;
    const here = step(place, index);
    report(walk, { op: "remove", path: here.path, place: here.left, old: from[index] as Value });
  }
  let now = 0;
  for (const [index, pair] of pairs.entries()) {
    if (pair === undefined) continue;
    compare(walk, from[index] as Value, to[pair] as Value, step(place, now++, index, pair));
  }
  for (const index of [...waiting.values()].flat().toSorted((a, b) => a - b)) {
    const here = step(place, "-", index, index);
    report(walk, { op: "add", path: here.path, place: here.right, value: to[index] as Value });
  }
}

/** Returns the identity of items of an unordered array: their whole value, or the value under the key. */
function createIdentity({ options, numberOf }: Walk): Numbering {
  if (options.arrays !== "key") return numberOf;
  return (item) => numberOf((item as Dictionary).get(options.arrayKey) as Value);
}

/**
 * With `key`, an array is compared in order unless its items are objects with distinct values of that key.
 */
function isUnordered(list: List, { arrays, arrayKey }: DiffOptions): boolean {
  if (arrays !== "key") return arrays === "set";
  const seen = new Set<string>();
  return list.every((item) => {
    const key = isDictionary(item) ? item.get(arrayKey) : undefined;
    if (key === undefined || key === null || isList(key) || isDictionary(key)) return false;
    const name = typeof key === "object" ? `#${key.text}` : `${typeof key} ${String(key)}`;
    return seen.size < seen.add(name).size;
  });
}
