import { DocumentFault } from "../fault.ts";
import { escapeToken } from "../json/pointer.ts";
import { createNumbering, type Numbering } from "../data/equal.ts";
import { type Dictionary, isDictionary, isList, type List, type Value } from "../data/value.ts";
import { align } from "./align.ts";

export interface DiffOptions {
  /** Whether the order of arrays counts; `key` pairs objects that have the same value under `arrayKey`. */
  arrays: "ordered" | "set" | "key";
  arrayKey: string;
}

/** One difference. In their order, changes are a JSON Patch (RFC 6902). */
export interface Change {
  op: "add" | "remove" | "replace";
  /** RFC 6901, in the document as the changes before have left it. */
  path: string;
  /** RFC 6901: in the first document, or in the second of what is added. */
  place: string;
  /** What is there afterwards, but of removals. */
  value?: Value;
  /** What was there before, but of additions. */
  old?: Value;
}

const maxPointers = 32 * 1024 * 1024;

/** What leads from one value to the other; empty where they are equal, numbers by value and members in any order. */
export function findChanges(from: Value, to: Value, options: DiffOptions): Change[] {
  const numberOf = createNumbering((list) => isUnordered(list, options));
  const walk: Walk = { options, numberOf, changes: [], pointers: 0 };
  compare(walk, from, to, { path: "", left: "", right: "" });
  return walk.changes;
}

/** Returns whether two values are equal as these options see it. */
export function createEquality(options: DiffOptions): (a: Value, b: Value) => boolean {
  const numberOf = createNumbering((list) => isUnordered(list, options));
  return (a, b) => numberOf(a) === numberOf(b);
}

interface Walk {
  options: DiffOptions;
  numberOf: Numbering;
  changes: Change[];
  /** How long all pointers are together. */
  pointers: number;
}

/** Pointers to the same value: as the patch sees it, in the first document, in the second. */
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

/** Recursive: the reader of documents allows 512 levels. */
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
    // What lies between two items that stay is paired by position.
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

/** Arrays whose order does not count: what goes is taken from the end, so that indexes stay true; what comes is put last. */
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

/** What makes two items of an unordered array the same: all of them, or the value under the key. */
function createIdentity({ options, numberOf }: Walk): Numbering {
  if (options.arrays !== "key") return numberOf;
  return (item) => numberOf((item as Dictionary).get(options.arrayKey) as Value);
}

/** Under `key`, an array that is not made of objects with that key, each its own, is compared in order. */
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
