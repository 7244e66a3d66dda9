import type { CelInput, CelList, CelMap, CelValue } from "@bufbuild/cel";
import {
  type Dictionary,
  isDictionary,
  isList,
  isLiteral,
  type List,
  type Literal,
  type Value,
} from "../data/value.ts";
import { DocumentFault } from "../fault.ts";
import { toPointer } from "../json/pointer.ts";

/** The library finds its own lists and maps by these symbols; its types keep them to itself. */
const listMark = Symbol.for("@bufbuild/cel/list");
const mapMark = Symbol.for("@bufbuild/cel/map");

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

/**
 * Returns the conversion of a document to values of CEL. Whole numbers without fraction and exponent are int, other numbers double, and
 * dates of TOML strings. Each list and each map is converted once.
 * @throws DocumentFault, in the conversion, with the pointer of a number that neither type holds
 */
export function createConversion(): (value: Value) => CelValue {
  const known = new Map<Value, CelValue>();
  const path: (string | number)[] = [];
  /** Recursive: the parsers limit the depth. */
  const convert = (value: Value): CelValue => {
    if (isLiteral(value)) return numberOf(value, path);
    if (!isList(value) && !isDictionary(value)) return value;
    const before = known.get(value);
    if (before !== undefined) return before;
    const converted = isList(value) ? ofList(value) : ofDictionary(value);
    known.set(value, converted);
    return converted;
  };
  const below = (key: string | number, item: Value): CelValue => {
    path.push(key);
    const converted = convert(item);
    path.pop();
    return converted;
  };
  const ofList = (list: List): CelList => {
    const items = list.map((item, index) => below(index, item));
    return listOf(items, items.length);
  };
  const ofDictionary = (dictionary: Dictionary): CelMap => {
    const members = new Map<string, CelValue>();
    for (const [key, item] of dictionary) members.set(key, below(key, item));
    return toCelMap({
      keys: () => members.keys(),
      get: (key) => (typeof key === "string" ? members.get(key) : undefined),
      size: members.size,
    });
  };
  return convert;
}

function numberOf({ kind, text }: Literal, path: readonly (string | number)[]): CelValue {
  if (kind === "nonfinite")
    return text.includes("nan") ? Number.NaN : text.startsWith("-") ? -Infinity : Infinity;
  if (kind !== "number") return text;
  if (/^-?\d+$/.test(text)) {
    // A longer text would take BigInt a time that grows with its square.
    const int = text.length > 20 ? maxInt + 1n : BigInt(text);
    if (int >= minInt && int <= maxInt) return int;
    throw outOfRange("an integer of CEL (int64)", text, path);
  }
  const double = Number(text);
  if (Number.isFinite(double)) return double;
  throw outOfRange("a double", text, path);
}

function outOfRange(type: string, text: string, path: readonly (string | number)[]): DocumentFault {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new DocumentFault(
    `${shown} is not in the range of ${type}; write it as a string.`,
    { pointer: toPointer(path) },
    "number-range",
  );
}

/** The first `size` items of an array as a list; items may be added to the array, but not changed. */
export function listOf(items: readonly CelValue[], size: number): CelList {
  const values = function* (): Generator<CelValue> {
    for (let at = 0; at < size; at++) yield items[at] as CelValue;
  };
  const list = {
    [listMark]: {},
    size,
    get: (index: number) => (index >= 0 && index < size ? items[index] : undefined),
    values,
    [Symbol.iterator]: values,
  } as unknown as CelList;
  growing.set(list, { items: items as CelValue[], size });
  return list;
}

/** The arrays of lists, which the next longer list may share. */
const growing = new WeakMap<object, { items: CelValue[]; size: number }>();

/**
 * Returns a list followed by another. The macros of CEL build a list by adding to it one item at a time, so the result shares the
 * array of `left`, unless another list has grown from it.
 * @param onCopied Called with a number of items before they are copied.
 */
export function concatenate(left: CelList, right: CelList, onCopied: (items: number) => void): CelList {
  const shared = growing.get(left);
  const size = left.size + right.size;
  if (shared !== undefined && shared.size > 0 && shared.items.length === shared.size) {
    onCopied(right.size);
    for (const item of right) shared.items.push(item);
    return listOf(shared.items, size);
  }
  onCopied(size);
  return listOf([...left, ...right], size);
}

interface Members {
  readonly size: number;
  keys(): IterableIterator<string>;
  /** Undefined if there is no such key; an error of CEL is an error of the access. */
  get(key: unknown): CelInput | undefined;
}

/** A map with string keys. Unlike those of the library, it has the keys whose value is null. */
export function toCelMap({ size, keys, get }: Members): CelMap {
  const entries = function* (): Generator<[string, CelInput]> {
    for (const key of keys()) yield [key, get(key) as CelInput];
  };
  const map = {
    [mapMark]: {},
    size,
    get,
    has: (key: unknown) => get(key) !== undefined,
    keys,
    entries,
    *values() {
      for (const [, value] of entries()) yield value;
    },
    forEach(callback: (value: CelInput, key: string, from: unknown) => void) {
      for (const [key, value] of entries()) callback(value, key, map);
    },
    [Symbol.iterator]: entries,
  };
  return map as unknown as CelMap;
}
