import { compareValues, equalValues } from "./compare.ts";
import { raise } from "./fault.ts";
import { deleteKeys, indexValue, type Owned, requireOnePlace, setValue } from "./index.ts";
import type { Meter } from "./meter.ts";
import { isArray, type JqArray, type JqValue } from "./value.ts";

/** Most keys of a path, as in jq. */
const maxPath = 10_000;

/** The value at a path; null beyond a null. @throws JqError */
export function getPath(root: JqValue, path: JqValue): JqValue {
  let value = root;
  for (const key of keysOf(path)) {
    if (value === null) return null;
    value = indexValue(value, key);
  }
  return value;
}

/** Returns `root` with `value` at a path; what does not exist is made. @throws JqError */
export function setPath(root: JqValue, path: JqValue, value: JqValue, meter: Meter, owned?: Owned): JqValue {
  const keys = keysOf(path);
  const last = keys.length - 1;
  if (last < 0) return value;
  if (last === 0) return setValue(root, keys[0] as JqValue, value, meter, owned);
  const containers: JqValue[] = [root];
  for (let at = 0; at < last; at++) {
    requireOnePlace(containers[at] as JqValue, keys[at] as JqValue);
    containers.push(indexValue(containers[at] as JqValue, keys[at] as JqValue));
  }
  let result = value;
  for (let at = last; at >= 0; at--)
    result = setValue(containers[at] as JqValue, keys[at] as JqValue, result, meter, owned);
  return result;
}

function keysOf(path: JqValue): JqArray {
  if (!isArray(path)) return raise("Path must be specified as an array");
  return path.length > maxPath ? raise("Path too deep") : path;
}

/** Returns `root` without the values at these paths. @throws JqError */
export function deletePaths(root: JqValue, paths: JqValue, meter: Meter): JqValue {
  if (!isArray(paths)) return raise("Paths must be specified as an array");
  for (const path of paths) {
    if (!isArray(path)) return raise("Path must be specified as an array");
    keysOf(path);
  }
  const sorted = (paths as JqArray[]).toSorted(compareValues);
  if (sorted.length === 0) return root;
  if (sorted[0]?.length === 0) return null;
  return deleteSorted(root, sorted, 0, meter);
}

/** Levels entered by recursion, where several paths share their beginning. */
const maxRecursion = 2000;

function deleteSorted(container: JqValue, paths: readonly JqArray[], depth: number, meter: Meter): JqValue {
  if (container === null) return null;
  if (paths.length === 1) return deleteOne(container, paths[0] as JqArray, depth, meter);
  if (depth > maxRecursion) return raise("Path too deep");
  const gone: JqValue[] = [];
  let result: JqValue = container;
  // From the last, so that indices still count from the same places.
  for (let end = paths.length; end > 0;) {
    const key = (paths[end - 1] as JqArray)[depth] as JqValue;
    let from = end - 1;
    while (from > 0 && equalValues((paths[from - 1] as JqArray)[depth] as JqValue, key)) from--;
    const group = paths.slice(from, end);
    if (group[0]?.length === depth + 1) gone.push(key);
    else {
      const inner = indexValue(result, key);
      const changed = deleteSorted(inner, group, depth + 1, meter);
      if (changed !== inner) result = setValue(result, key, changed, meter);
    }
    end = from;
  }
  return deleteKeys(result, gone, meter);
}

function deleteOne(container: JqValue, path: JqArray, depth: number, meter: Meter): JqValue {
  const containers: JqValue[] = [];
  let value = container;
  for (let at = depth; at < path.length - 1; at++) {
    containers.push(value);
    value = indexValue(value, path[at] as JqValue);
    if (value === null) return container;
  }
  let result = deleteKeys(value, [path.at(-1) as JqValue], meter);
  for (let at = containers.length - 1; at >= 0; at--)
    result = setValue(containers[at] as JqValue, path[depth + at] as JqValue, result, meter);
  return result;
}
