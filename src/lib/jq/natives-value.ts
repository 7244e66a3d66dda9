import { compareValues, equalValues, sortedKeys } from "./compare.ts";
import { JqHalt, raise, shown } from "./fault.ts";
import { addTo } from "./in-place.ts";
import { countPoints, indexValue, indicesOf, sliceValue } from "./index.ts";
import type { Machine } from "./machine.ts";
import type { Meter } from "./meter.ts";
import type { Natives } from "./natives.ts";
import { deletePaths, getPath, setPath } from "./paths.ts";
import {
  doubleOf,
  isArray,
  isLiteralNumber,
  isNumber,
  isObject,
  isTrue,
  type JqArray,
  type JqObject,
  type JqValue,
  typeName,
} from "./value.ts";
import { toText } from "./write-json.ts";

/** Builtins on values of any type, arrays and objects. */
export const valueNatives: Natives = {
  "not/0": (value) => value === null || value === false,
  "type/0": typeName,
  "_is_container/0": (value) => isArray(value) || isObject(value),
  "length/0": lengthOf,
  "keys/0": (value) => keysOf(value, sortedKeys),
  "keys_unsorted/0": (value) => keysOf(value, (object) => [...object.keys()]),
  "has/1": (value, [key]) => has(value, key as JqValue),
  "contains/1": (value, [part], { meter }) => contains(value, part as JqValue, meter),
  "add/0": (value, _, machine) => {
    const owned = new Set<JqValue>();
    let sum: JqValue = null;
    for (const item of itemsOf(value)) sum = addTo(sum, item, machine, owned);
    return sum;
  },
  "to_entries/0": (value, _, machine) => {
    if (!isObject(value) && !isArray(value)) return raise(`${shown(value)} has no keys`);
    machine.meter.members(2 * (isArray(value) ? value.length : value.size));
    const entries: JqArray = [];
    for (const [key, member] of value.entries())
      entries.push(new Map<string, JqValue>().set("key", key).set("value", member));
    return entries;
  },
  "from_entries/0": fromEntries,
  "flatten/0": (value, _, machine) => flatten(value, Infinity, machine.meter.items),
  "flatten/1": (value, [depth], machine) => {
    if (!isNumber(depth as JqValue)) return raise("flatten depth must not be negative");
    const levels = doubleOf(depth as number);
    return levels < 0
      ? raise("flatten depth must not be negative")
      : flatten(value, levels, machine.meter.items);
  },
  "transpose/0": (value, _, machine) => {
    const rows = itemsOf(value);
    const width = rows.reduce<number>((most, row) => Math.max(most, Number(lengthOf(row))), 0);
    machine.meter.items(width * (rows.length + 1));
    return Array.from({ length: width }, (__, at) => rows.map((row) => indexValue(row, at)));
  },
  "indices/1": (value, [part], { meter }) => indices(value, part as JqValue, meter),
  "index/1": (value, [part], { meter }) => indexValue(indices(value, part as JqValue, meter), 0),
  "rindex/1": (value, [part], { meter }) =>
    indexValue(sliceValue(indices(value, part as JqValue, meter), -1, null), 0),
  "_strindices/1": (value, [part]) => {
    if (typeof value !== "string") return raise(`${shown(value)} cannot be searched, as it is not a string`);
    if (typeof part !== "string") return raise(`${shown(part as JqValue)} is not a string`);
    return textIndices(value, part);
  },
  "getpath/1": (value, [path]) => getPath(value, path as JqValue),
  "setpath/2": (value, [path, part], machine) =>
    setPath(value, path as JqValue, part as JqValue, machine.meter),
  "delpaths/1": (value, [paths], machine) => deletePaths(value, paths as JqValue, machine.meter),
  "toarray/0": (value) => (isArray(value) ? value : [value]),
  "bsearch/1": (value, [target]) => {
    if (!isArray(value)) return raise(`${shown(value)} cannot be searched from`);
    let from = 0;
    let to = value.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const order = compareValues(value[middle] as JqValue, target as JqValue);
      if (order === 0) return middle;
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return -1 - from;
  },
  "tojson/0": (value, _, machine) => jsonOf(value, machine.meter),
  "halt/0": () => {
    throw new JqHalt(undefined, 0);
  },
  "halt_error/1": (value, [status]) => {
    if (!isNumber(status as JqValue)) return raise(`${shown(value)} halt_error/1: number required`);
    throw new JqHalt(value, Math.trunc(doubleOf(status as number)) & 0xff);
  },
  "debug/0": (value, _, machine) => {
    machine.world.message(`["DEBUG:",${toText(value, { maxLength: maxMessage, cut: true })}]\n`);
    return value;
  },
  "stderr/0": (value, _, machine) => {
    machine.world.message(
      typeof value === "string" ? value : toText(value, { maxLength: maxMessage, cut: true }),
    );
    return value;
  },
  "input_line_number/0": () => 0,
  "have_literal_numbers/0": () => true,
  "have_decnum/0": () => true,
};

/** Most UTF-16 code units of a message for people. */
const maxMessage = 2 ** 24;

/** The JSON of a value on one line. @throws TextTooLong */
export function jsonOf(value: JqValue, meter: Meter): string {
  const text = toText(value, { maxLength: meter.textLeft() });
  meter.text(text.length);
  return text;
}

/** The items of an array or the values of an object. @throws JqError */
export function itemsOf(value: JqValue): readonly JqValue[] {
  if (isArray(value)) return value;
  if (isObject(value)) return [...value.values()];
  return raise(`Cannot iterate over ${shown(value)}`);
}

export function lengthOf(value: JqValue): JqValue {
  if (typeof value === "string") return countPoints(value);
  if (isArray(value)) return value.length;
  if (value === null) return 0;
  if (isObject(value)) return value.size;
  return isNumber(value) ? absolute(value) : raise(`${shown(value)} has no length`);
}

export function absolute(value: number | { literal: string; double: number }): JqValue {
  if (!isLiteralNumber(value)) return Math.abs(value);
  return value.literal.startsWith("-") ? { literal: value.literal.slice(1), double: -value.double } : value;
}

function keysOf(value: JqValue, ofObject: (object: JqObject) => JqArray): JqValue {
  if (isObject(value)) return ofObject(value);
  if (isArray(value)) return Array.from(value.keys());
  return raise(`${shown(value)} has no keys`);
}

function has(value: JqValue, key: JqValue): boolean {
  if (isObject(value) && typeof key === "string") return value.has(key);
  if (value === null) return false;
  if (isArray(value) && isNumber(key)) {
    const at = doubleOf(key);
    return at >= 0 && at < value.length;
  }
  return raise(`Cannot check whether ${typeName(value)} has a ${typeName(key)} key`);
}

function contains(value: JqValue, part: JqValue, meter: Meter): boolean {
  if (typeName(value) !== typeName(part))
    return raise(`${shown(value)} and ${shown(part)} cannot have their containment checked`);
  try {
    return includes(value, part, 0, meter);
  } catch (error) {
    // jq's own limit is 10,000 levels; ours is the stack, which may be smaller.
    if (error instanceof RangeError) return raise("Containment check too deep");
    throw error;
  }
}

/** Lists that hold one part many times over take more steps than they have items. */
function includes(value: JqValue, part: JqValue, depth: number, meter: Meter): boolean {
  if (depth > 10_000) return raise("Containment check too deep");
  meter.steps(1);
  if (typeof value === "string" && typeof part === "string") return value.includes(part);
  if (isArray(value) && isArray(part))
    return part.every((item) => value.some((other) => includes(other, item, depth + 1, meter)));
  if (!isObject(value) || !isObject(part)) return equalValues(value, part);
  for (const [key, item] of part) {
    const other = value.get(key);
    if (other === undefined || !includes(other, item, depth + 1, meter)) return false;
  }
  return true;
}

function fromEntries(value: JqValue, _: unknown, machine: Machine): JqValue {
  const object: JqObject = new Map();
  for (const entry of itemsOf(value)) {
    machine.meter.members(1);
    let key: JqValue = null;
    for (const name of ["key", "Key", "name", "Name"]) {
      key = indexValue(entry, name);
      if (isTrue(key)) break;
    }
    if (typeof key !== "string") return raise(`Cannot use ${shown(key)} as object key`);
    const named = isObject(entry) && entry.has("value");
    object.set(key, indexValue(entry, named ? "value" : "Value"));
  }
  return object;
}

function flatten(value: JqValue, depth: number, count: (items: number) => void): JqValue {
  const flat: JqArray = [];
  const open: { items: readonly JqValue[]; at: number }[] = [{ items: itemsOf(value), at: 0 }];
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    if (frame.at >= frame.items.length) {
      open.pop();
      continue;
    }
    const item = frame.items[frame.at++] as JqValue;
    if (isArray(item) && open.length <= depth) open.push({ items: item, at: 0 });
    else flat.push(item);
    count(1);
  }
  return flat;
}

function indices(value: JqValue, part: JqValue, meter: Meter): JqValue {
  if (typeof value === "string" && typeof part === "string") return textIndices(value, part);
  if (isArray(value)) {
    const list = isArray(part) ? part : [part];
    meter.steps(value.length * Math.min(list.length, 1000));
    return indicesOf(value, list);
  }
  return indexValue(value, part);
}

/** Returns the places of a text in code points. */
function textIndices(text: string, part: string): JqValue {
  if (part === "") return [];
  const found: number[] = [];
  let points = 0;
  let counted = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    points += countPoints(text.slice(counted, at));
    counted = at;
    found.push(points);
  }
  return found;
}
