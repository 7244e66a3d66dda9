import { DocumentFault } from "../fault.ts";
import { escapeToken } from "../json/pointer.ts";
import { createNumbering, type Numbering } from "../data/equal.ts";
import { type Dictionary, isDictionary, isList, type List, type Value } from "../data/value.ts";
import { align } from "./align.ts";
import { findMoves } from "./find-moves.ts";

export interface DiffOptions {
  /** Whether the order of arrays matters; `key` pairs objects with the same value under `arrayKey`. */
  arrays: "ordered" | "set" | "key";
  arrayKey: string;
  /** Whether the order of objects that are paired by a key matters. */
  moves?: boolean;
  /** Whether strings that differ in the case of letters are equal. */
  ignoreCase?: boolean;
}

/** One difference. In order, changes form a JSON Patch (RFC 6902). */
export interface Change {
  op: "add" | "remove" | "replace" | "move";
  /** RFC 6901, in the document as changed so far. */
  path: string;
  /** For a move: the pointer (RFC 6901) in the document as changed so far. */
  from?: string;
  /** RFC 6901: in the first document, or for additions in the second. */
  place: string;
  /** For a move: the pointer (RFC 6901) in the second document. */
  target?: string;
  /** The new value, except for removals and moves. */
  value?: Value;
  /** The old value, except for additions and moves. */
  old?: Value;
}

const maxPointers = 32 * 1024 * 1024;

/**
 * Returns the changes from one value to the other; none if they are equal, numbers by value and members in
 * any order.
 */
export function findChanges(from: Value, to: Value, options: DiffOptions): Change[] {
  const numberOf = createNumbering(ignoresOrder(options), options);
  const walk: Walk = { options, numberOf, changes: [], pointers: 0 };
  compare(walk, from, to, { path: "", left: "", right: "" });
  return walk.changes;
}

/** Returns a function that reports whether two values are equal under these options. */
export function createEquality(options: DiffOptions): (a: Value, b: Value) => boolean {
  const numberOf = createNumbering(ignoresOrder(options), options);
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
  walk.pointers += (change.from?.length ?? 0) + (change.target?.length ?? 0);
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
  const kept = [...pairs.entries()].filter((entry): entry is [number, number] => entry[1] !== undefined);
  const added = [...waiting.values()].flat().toSorted((a, b) => a - b);
  const { arrays, moves = false } = walk.options;
  if (arrays === "key" && moves) return compareMoved(walk, from, to, { place, kept, added });
  for (const [now, [index, pair]] of kept.entries())
    compare(walk, from[index] as Value, to[pair] as Value, step(place, now, index, pair));
  for (const index of added) {
    const here = step(place, "-", index, index);
    report(walk, { op: "add", path: here.path, place: here.right, value: to[index] as Value });
  }
}

interface Paired {
  place: Place;
  /** Indexes in both lists. */
  kept: readonly [number, number][];
  /** Indexes in the second list. */
  added: readonly number[];
}

/** The items that are kept move into the order of the second list; then others are added, each at its index. */
function compareMoved(walk: Walk, from: List, to: List, { place, kept, added }: Paired): void {
  for (const move of findMoves(kept.map(([, pair]) => pair))) {
    const [index, pair] = kept[move.item] as [number, number];
    const here = step(place, move.to, index, pair);
    const before = `${place.path}/${move.from}`;
    report(walk, { op: "move", path: here.path, from: before, place: here.left, target: here.right });
  }
  for (const index of added) {
    const here = step(place, index);
    report(walk, { op: "add", path: here.path, place: here.right, value: to[index] as Value });
  }
  for (const [index, pair] of kept)
    compare(walk, from[index] as Value, to[pair] as Value, step(place, pair, index, pair));
}

/** Returns the identity of items of an unordered array: their whole value, or the value under the key. */
function createIdentity({ options, numberOf }: Walk): Numbering {
  if (options.arrays !== "key") return numberOf;
  return (item) => numberOf((item as Dictionary).get(options.arrayKey) as Value);
}

/** Reports of lists whether they are equal in any order. */
const ignoresOrder =
  (options: DiffOptions) =>
  (list: List): boolean =>
    !(options.arrays === "key" && options.moves === true) && isUnordered(list, options);

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
