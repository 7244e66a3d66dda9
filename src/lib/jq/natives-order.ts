import { compareValues } from "./compare.ts";
import { raise, shown } from "./fault.ts";
import type { Natives } from "./natives.ts";
import { indexValue } from "./index.ts";
import { lengthOf } from "./natives-value.ts";
import { isArray, type JqArray, type JqValue } from "./value.ts";

/** Builtins that sort. Those with an argument get the keys of the items, each a list. */
export const orderNatives: Natives = {
  "sort/0": (value, _, machine) => {
    const list = listOf(value, "sorted");
    machine.meter.items(list.length);
    return list.toSorted(compareValues);
  },
  "_sort_by/1": (value, [keys], machine) => {
    const list = bothLists(value, keys as JqValue);
    machine.meter.items(3 * list.length);
    return ranked(list, keys as JqArray).map(({ item }) => item);
  },
  "_group_by/1": (value, [keys], machine) => {
    const list = bothLists(value, keys as JqValue);
    machine.meter.items(4 * list.length);
    return grouped(list, keys as JqArray);
  },
  "unique/0": (value, _, machine) => {
    const list = listOf(value, "sorted");
    machine.meter.items(2 * list.length);
    return list
      .toSorted(compareValues)
      .filter((item, at, all) => at === 0 || compareValues(all[at - 1] as JqValue, item) !== 0);
  },
  "_unique_by/1": (value, [keys], machine) => {
    const list = bothLists(value, keys as JqValue);
    machine.meter.items(4 * list.length);
    return grouped(list, keys as JqArray).map((group) => group[0] as JqValue);
  },
  "min/0": (value) => extreme(value, value, -1),
  "max/0": (value) => extreme(value, value, 1),
  "_min_by/1": (value, [keys]) => extreme(value, keys as JqValue, -1),
  "_max_by/1": (value, [keys]) => extreme(value, keys as JqValue, 1),
  "reverse/0": (value, _, machine) => {
    if (value === null) return [];
    if (typeof value === "string") {
      machine.meter.items(value.length);
      return Array.from(value).toReversed().join("");
    }
    if (!isArray(value)) {
      const length = Number(lengthOf(value));
      return length === 0 ? [] : indexValue(value, length - 1);
    }
    machine.meter.items(value.length);
    return value.toReversed();
  },
};

function bothLists(value: JqValue, keys: JqValue): JqArray {
  if (isArray(value)) return value;
  return raise(`${shown(value)} and ${shown(keys)} cannot be sorted, as they are not both arrays`);
}

function listOf(value: JqValue, what: string): JqArray {
  return isArray(value) ? value : raise(`${shown(value)} cannot be ${what}, as it is not an array`);
}

interface Ranked {
  item: JqValue;
  key: JqValue;
}

/** Items in the order of their keys. Most keys are one value each, which is compared without its list. */
function ranked(list: JqArray, keys: JqArray): Ranked[] {
  const single = keys.every((key) => (key as JqArray).length === 1);
  const items = list.map((item, at): Ranked => {
    const key = keys[at] as JqArray;
    return { item, key: single ? (key[0] as JqValue) : key };
  });
  return items.toSorted((a, b) => compareValues(a.key, b.key));
}

function grouped(list: JqArray, keys: JqArray): JqArray[] {
  const groups: JqArray[] = [];
  let before: JqValue | undefined;
  for (const { item, key } of ranked(list, keys)) {
    if (before !== undefined && compareValues(before, key) === 0) (groups.at(-1) as JqArray).push(item);
    else groups.push([item]);
    before = key;
  }
  return groups;
}

/** The first of the least or the last of the greatest. */
function extreme(list: JqValue, keys: JqValue, direction: 1 | -1): JqValue {
  if (!isArray(list) || !isArray(keys))
    return raise(`${shown(list)} and ${shown(keys)} cannot be iterated over`);
  let best = 0;
  for (let at = 1; at < list.length; at++) {
    const order = compareValues(keys[at] as JqValue, keys[best] as JqValue);
    if (direction < 0 ? order < 0 : order >= 0) best = at;
  }
  return list[best] ?? null;
}
