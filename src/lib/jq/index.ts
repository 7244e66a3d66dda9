import { equalValues } from "./compare.ts";
import { raise, shown } from "./fault.ts";
import type { Meter } from "./meter.ts";
import {
  doubleOf,
  isArray,
  isNumber,
  isObject,
  type JqArray,
  type JqObject,
  type JqValue,
  typeName,
} from "./value.ts";

/** Largest index that an assignment may create, as in jq. */
const maxIndex = 536_870_910;

/** Returns `value[key]`. @throws JqError */
export function indexValue(value: JqValue, key: JqValue): JqValue {
  if (typeof key === "string") {
    if (isObject(value)) return value.get(key) ?? null;
    if (value === null) return null;
  } else if (isNumber(key)) {
    if (isArray(value)) return itemAt(value, doubleOf(key));
    if (value === null) return null;
  } else if (key !== null && isObject(key)) {
    if (value === null) return null;
    if (isArray(value) || typeof value === "string")
      return sliceValue(value, boundOf(key, "start"), boundOf(key, "end"));
  } else if (isArray(key) && isArray(value)) return indicesOf(value, key);
  return raise(cannotIndex(value, key));
}

/** A bound of a slice that is given as an object. */
function boundOf(key: JqObject, name: "start" | "end"): JqValue {
  const bound = key.get(name);
  return bound === undefined ? raise("Array/string slice indices must be integers") : bound;
}

const cannotIndex = (value: JqValue, key: JqValue): string =>
  `Cannot index ${typeName(value)} with ${shown(key)}`;

function itemAt(list: JqArray, index: number): JqValue {
  if (Number.isNaN(index)) return null;
  const at = Math.floor(index);
  return list[at < 0 ? at + list.length : at] ?? null;
}

/** Returns the places at which `part` begins in `list`. */
export function indicesOf(list: JqArray, part: JqArray): JqValue {
  if (part.length === 0) return [];
  const found: number[] = [];
  for (let at = 0; at + part.length <= list.length; at++)
    if (part.every((item, offset) => equalValues(list[at + offset] as JqValue, item))) found.push(at);
  return found;
}

/** Returns `value[from:to]`; strings are counted in code points. @throws JqError */
export function sliceValue(value: JqValue, from: JqValue, to: JqValue): JqValue {
  if (value === null) return null;
  if (!isArray(value) && typeof value !== "string")
    return raise(
      cannotIndex(
        value,
        new Map([
          ["start", from],
          ["end", to],
        ]),
      ),
    );
  if (isArray(value)) {
    const [start, end] = boundsOf(value.length, from, to);
    return value.slice(start, end);
  }
  if (!/[\ud800-\udfff]/.test(value)) {
    const [start, end] = boundsOf(value.length, from, to);
    return value.slice(start, end);
  }
  const [start, end] = boundsOf(countPoints(value), from, to);
  const first = unitAt(value, start);
  return value.slice(first, unitAt(value, end - start, first));
}

/** Counts code points. Second halves of pairs never count, so that counts of parts add up wherever a text is divided. */
export function countPoints(text: string): number {
  let count = text.length;
  if (!/[\udc00-\udfff]/.test(text)) return count;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count--;
  return count;
}

/** The offset of a code point, counted from an offset. */
function unitAt(text: string, points: number, from = 0): number {
  let at = from;
  for (let left = points; left > 0; left--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

/** The bounds of a slice: the start rounded down, the end up; a negative one counts from the end. @throws JqError */
function boundsOf(length: number, from: JqValue, to: JqValue): [number, number] {
  if ((from !== null && !isNumber(from)) || (to !== null && !isNumber(to)))
    return raise("Array/string slice indices must be integers");
  const bound = (index: JqValue, missing: number): number => {
    const given = index === null ? missing : doubleOf(index as number);
    const known = Number.isNaN(given) ? missing : given;
    return Math.min(Math.max(known < 0 ? known + length : known, 0), length);
  };
  const start = Math.floor(bound(from, 0));
  return [start, Math.max(start, Math.ceil(bound(to, length)))];
}

/** Containers that an operation made itself and nobody else holds yet, so that it may change them. */
export type Owned = Set<JqValue>;

/**
 * Returns `container` with `value` at `key`.
 * @throws JqError
 */
export function setValue(
  container: JqValue,
  key: JqValue,
  value: JqValue,
  meter: Meter,
  owned?: Owned,
): JqValue {
  if (typeof key === "string" && (container === null || isObject(container))) {
    const copy = ownObject(container, meter, owned);
    copy.set(key, value);
    return copy;
  }
  if (isNumber(key) && (container === null || isArray(container)))
    return setItem(container, doubleOf(key), value, meter, owned);
  if (key !== null && isObject(key)) {
    if (container === null || isArray(container)) return setSlice(container ?? [], key, value, meter);
    if (typeof container === "string") return raise("Cannot update string slices");
  }
  requireOnePlace(container, key);
  return raise(cannotIndex(container, key));
}

/** @throws JqError if the key is an array, which selects the places of all its occurrences */
export function requireOnePlace(container: JqValue, key: JqValue): void {
  if (isArray(key) && isArray(container)) raise("Cannot update field at array index of array");
}

function ownObject(container: JqObject | null, meter: Meter, owned: Owned | undefined): JqObject {
  if (container !== null && owned?.has(container) === true) return container;
  meter.members(1 + (container?.size ?? 0));
  const copy: JqObject = container === null ? new Map() : new Map(container);
  owned?.add(copy);
  return copy;
}

function setItem(
  list: JqArray | null,
  index: number,
  value: JqValue,
  meter: Meter,
  owned: Owned | undefined,
): JqArray {
  if (Number.isNaN(index)) return raise("Cannot set array element at NaN index");
  const length = list?.length ?? 0;
  let at = Math.floor(index);
  if (at < 0) at += length;
  if (at < 0) return raise("Out of bounds negative array index");
  if (at > maxIndex) return raise("Array index too large");
  let copy: JqArray;
  meter.items(Math.max(1, at - length));
  if (list !== null && owned?.has(list) === true) copy = list;
  else {
    meter.items(length);
    copy = list === null ? [] : list.slice();
    owned?.add(copy);
  }
  while (copy.length < at) copy.push(null);
  copy[at] = value;
  return copy;
}

function setSlice(list: JqArray, key: JqObject, value: JqValue, meter: Meter): JqArray {
  const [start, end] = boundsOf(list.length, boundOf(key, "start"), boundOf(key, "end"));
  if (!isArray(value)) return raise("A slice of an array can only be assigned another array");
  meter.items(list.length + value.length);
  return list.slice(0, start).concat(value, list.slice(end));
}

/** Returns `container` without these keys, all of which count in `container` as it is. @throws JqError */
export function deleteKeys(container: JqValue, keys: readonly JqValue[], meter: Meter): JqValue {
  if (container === null || keys.length === 0) return container;
  if (isObject(container)) {
    const copy = new Map(container);
    for (const key of keys) {
      if (typeof key !== "string") return raise(`Cannot delete ${typeName(key)} field of object`);
      copy.delete(key);
    }
    return copy;
  }
  if (!isArray(container)) return raise(`Cannot delete fields from ${typeName(container)}`);
  const gone = new Set<number>();
  for (const key of keys) {
    if (isNumber(key)) {
      const at = Math.floor(doubleOf(key));
      gone.add(at < 0 ? at + container.length : at);
    } else if (key !== null && isObject(key)) {
      const [start, end] = boundsOf(container.length, boundOf(key, "start"), boundOf(key, "end"));
      meter.steps(end - start);
      for (let at = start; at < end; at++) gone.add(at);
    } else return raise(`Cannot delete ${typeName(key)} element of array`);
  }
  return container.filter((_, at) => !gone.has(at));
}
