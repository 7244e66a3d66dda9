import { compareCodePoints } from "../json/code-point-order.ts";
import { compareDecimals, toDecimal } from "../number/decimal.ts";
import { raise } from "./fault.ts";
import { isLiteralNumber, type JqNumber, type JqObject, type JqValue } from "./value.ts";

/** Levels that comparisons enter, as jq. */
const maxDepth = 10_000;

/**
 * Orders values as jq does: null, false, true, numbers, strings by code points, arrays, objects. A number that is not one is less
 * than every number, itself included. Less than, equal to or greater than 0, like a comparator.
 */
export function compareValues(a: JqValue, b: JqValue): number {
  if (typeof a === "number" && typeof b === "number")
    return a < b ? -1 : a === b ? 0 : a > b ? 1 : compareNaN(a);
  if (typeof a === "string" && typeof b === "string") return a === b ? 0 : compareCodePoints(a, b);
  const rank = rankOf(a);
  const difference = rank - rankOf(b);
  if (difference !== 0) return difference;
  if (rank < 3) return 0;
  if (rank === 3) return compareNumbers(a as number | JqNumber, b as number | JqNumber);
  return compareContainers(a as JqValue[] | JqObject, b as JqValue[] | JqObject);
}

/** Reports whether values are equal: numbers by value, members in any order. */
export function equalValues(a: JqValue, b: JqValue): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  if (typeof a === "number" && typeof b === "number") return a === b;
  if (a === null || b === null || typeof a === "boolean" || typeof b === "boolean") return a === b;
  const rank = rankOf(a);
  if (rank !== rankOf(b)) return false;
  if (rank === 3) return compareNumbers(a as number | JqNumber, b as number | JqNumber) === 0;
  return equalContainers(a as JqValue[] | JqObject, b as JqValue[] | JqObject);
}

function rankOf(value: JqValue): number {
  switch (typeof value) {
    case "boolean":
      return value ? 2 : 1;
    case "number":
      return 3;
    case "string":
      return 4;
    default:
      if (value === null) return 0;
      if (Array.isArray(value)) return 5;
      return value instanceof Map ? 6 : 3;
  }
}

const compareNaN = (a: number): number => (Number.isNaN(a) ? -1 : 1);

/** Literals compare by all their digits, also with a double that holds an integer or fraction exactly. */
function compareNumbers(a: number | JqNumber, b: number | JqNumber): number {
  const left = typeof a === "number" ? a : a.double;
  const right = typeof b === "number" ? b : b.double;
  const bothFinite = Number.isFinite(left) && Number.isFinite(right);
  if (left !== right && bothFinite) return left < right ? -1 : 1;
  if (Number.isNaN(left) || Number.isNaN(right)) return compareNaN(left);
  const literals = isLiteralNumber(a) && isLiteralNumber(b);
  if (!literals && (!bothFinite || Math.abs(left) > Number.MAX_SAFE_INTEGER))
    return left < right ? -1 : left > right ? 1 : 0;
  if (!literals && !isLiteralNumber(a) && !isLiteralNumber(b)) return 0;
  return compareDecimals(decimalOf(a), decimalOf(b));
}

const decimalOf = (value: number | JqNumber): ReturnType<typeof toDecimal> =>
  toDecimal(typeof value === "number" ? String(value) : value.literal);

interface Pair {
  a: readonly JqValue[];
  b: readonly JqValue[];
  at: number;
}

/** Containers that are entered although they are one. */
const maxEntered = 100_000;

function compareContainers(first: JqValue[] | JqObject, second: JqValue[] | JqObject): number {
  const open: Pair[] = [];
  let a: JqValue = first;
  let b: JqValue = second;
  for (let entered = 0; ;) {
    // One container is equal to itself, but jq finds out how deep it is. Those that share parts many times over are not entered.
    if (a !== b || entered++ < maxEntered) {
      const pair = openPair(a as JqValue[] | JqObject, b as JqValue[] | JqObject);
      if (typeof pair === "number") return pair;
      if (open.length > maxDepth) raise("Comparison too deep");
      open.push(pair);
    }
    for (;;) {
      const pair = open.at(-1);
      if (pair === undefined) return 0;
      const at = pair.at++;
      if (at >= pair.a.length || at >= pair.b.length) {
        if (pair.a.length !== pair.b.length) return pair.a.length - pair.b.length;
        open.pop();
        continue;
      }
      a = pair.a[at] as JqValue;
      b = pair.b[at] as JqValue;
      const rank = rankOf(a);
      if (rank >= 5 && rankOf(b) === rank) break;
      const difference = compareValues(a, b);
      if (difference !== 0) return difference;
    }
  }
}

/** The lists to compare item by item: of objects their values, after their keys turned out to be equal. */
function openPair(a: JqValue[] | JqObject, b: JqValue[] | JqObject): Pair | number {
  if (Array.isArray(a)) return { a, b: b as JqValue[], at: 0 };
  const keys = sortedKeys(a);
  const others = sortedKeys(b as JqObject);
  for (let at = 0; at < keys.length && at < others.length; at++) {
    const order = compareCodePoints(keys[at] as string, others[at] as string);
    if (order !== 0) return order;
  }
  if (keys.length !== others.length) return keys.length - others.length;
  const values = (object: JqObject): JqValue[] => keys.map((key) => object.get(key) as JqValue);
  return { a: values(a), b: values(b as JqObject), at: 0 };
}

/** The keys of an object in the order of code points. */
export function sortedKeys(object: JqObject): string[] {
  const keys = [...object.keys()];
  return keys.length < 2 ? keys : keys.toSorted(compareCodePoints);
}

function equalContainers(first: JqValue[] | JqObject, second: JqValue[] | JqObject): boolean {
  const open: { a: Iterator<JqValue>; b: Iterator<JqValue> }[] = [];
  let a: JqValue = first;
  let b: JqValue = second;
  for (;;) {
    if (a !== b) {
      const other = Array.isArray(a) ? sameItems(a, b) : sameKeys(a as JqObject, b);
      if (other === undefined) return false;
      if (open.length > maxDepth) raise("Equality check too deep");
      open.push({ a: (a as JqValue[] | JqObject).values(), b: other });
    }
    for (;;) {
      const pair = open.at(-1);
      if (pair === undefined) return true;
      const left = pair.a.next();
      if (left.done === true) {
        open.pop();
        continue;
      }
      a = left.value;
      b = pair.b.next().value as JqValue;
      const rank = rankOf(a);
      if (rank >= 5 && rankOf(b) === rank) break;
      if (!equalValues(a, b)) return false;
    }
  }
}

const sameItems = (a: JqValue[], b: JqValue): Iterator<JqValue> | undefined =>
  Array.isArray(b) && b.length === a.length ? b.values() : undefined;

/** The values of `b` in the order of the keys of `a`, if both have the same keys. */
function sameKeys(a: JqObject, b: JqValue): Iterator<JqValue> | undefined {
  if (!(b instanceof Map) || b.size !== a.size) return undefined;
  const values: JqValue[] = [];
  for (const key of a.keys()) {
    const value = b.get(key);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values.values();
}
