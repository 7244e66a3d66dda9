import { isArray, isObject, type JqArray, type JqValue } from "../../../lib/jq/value.ts";

/**
 * Yields the events of values, as `tostream` does: a path with the scalar or empty container there, and for each container the path
 * of its last part alone when it ends.
 */
export function* eventsOf(values: Iterable<JqValue>): Generator<JqArray> {
  for (const value of values) {
    const open: Walk[] = [];
    if (isEmptyOrScalar(value)) yield [[], value];
    else open.push(toWalk(value));
    for (let walk = open.at(-1); walk !== undefined; walk = open.at(-1)) {
      const step = walk.parts.next();
      if (step.done === true) {
        yield [open.map(({ key }) => key)];
        open.pop();
        continue;
      }
      const [key, part] = step.value;
      walk.key = key;
      if (isEmptyOrScalar(part)) yield [open.map((one) => one.key), part];
      else open.push(toWalk(part));
    }
  }
}

/** A container that has been entered, and the key of the part that was yielded or entered last. */
interface Walk {
  parts: Iterator<[string | number, JqValue]>;
  key: string | number;
}

const toWalk = (value: JqValue): Walk => ({
  parts: (value as ReadonlyMap<string | number, JqValue> | JqArray).entries()[Symbol.iterator](),
  key: 0,
});

const isEmptyOrScalar = (value: JqValue): boolean =>
  !(isArray(value) && value.length > 0) && !(isObject(value) && value.size > 0);
