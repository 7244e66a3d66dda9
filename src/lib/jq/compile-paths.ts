import type { Compiler } from "./compile.ts";
import { raise, shorten, shown } from "./fault.ts";
import { indexValue, sliceValue } from "./index.ts";
import {
  backtrack,
  before,
  fork,
  type Located,
  located,
  type Machine,
  nowhere,
  type Op,
  type Path,
  requirePath,
  resume,
} from "./machine.ts";
import type { Scope } from "./scope.ts";
import type { Filter } from "./syntax.ts";
import { isNumber, type JqObject, type JqValue } from "./value.ts";

type PathFilter = Extract<Filter, { kind: "index" | "slice" | "iterate" | "descend" }>;

/** Compiles what selects a part of its input. */
export function compilePath(compiler: Compiler, filter: PathFilter, scope: Scope, tracking: boolean): Op {
  if (filter.kind === "descend") return tracking ? descendTracked : descend;
  if (filter.kind === "iterate") {
    const iterate = tracking ? iterateTracked : iterateValues;
    return after(compiler, filter.target, scope, tracking, iterate);
  }
  const keys = filter.kind === "index" ? [filter.key] : [filter.from ?? nothing, filter.to ?? nothing];
  const select: Op = (machine) => {
    const key = machine.data as JqValue | JqObject;
    if (tracking) {
      requirePath(
        machine,
        () => ` near attempt to access element ${shorten(key)} of ${shorten(machine.value)}`,
      );
      machine.path = { key, up: machine.path };
    }
    machine.value =
      filter.kind === "index"
        ? indexValue(machine.value, key)
        : sliceValue(
            machine.value,
            (key as JqObject).get("start") as JqValue,
            (key as JqObject).get("end") as JqValue,
          );
    resume(machine);
  };
  const ofInput = filter.target.kind === "identity";
  const target = compiler.op(filter.target, scope, tracking);
  const direct = keys.length === 1 ? compiler.direct(keys[0] as Filter, scope) : undefined;
  if (direct !== undefined)
    return (machine) => {
      const key = direct(machine.value, machine.env, machine);
      if (ofInput) {
        machine.data = key;
        select(machine);
        return;
      }
      before(machine, select, key);
      target(machine);
    };
  return compiler.product(keys, scope, (machine, values) => {
    const key: JqValue =
      filter.kind === "index"
        ? (values[0] as JqValue)
        : new Map([
            ["start", values[0] as JqValue],
            ["end", values[1] as JqValue],
          ]);
    if (ofInput) {
      machine.data = key;
      select(machine);
      return;
    }
    before(machine, select, key);
    target(machine);
  });
}

const nothing: Filter = { kind: "literal", value: null };

/** Runs an operation on each result of a filter. */
function after(compiler: Compiler, target: Filter, scope: Scope, tracking: boolean, op: Op): Op {
  if (target.kind === "identity") return op;
  const direct = tracking ? undefined : compiler.direct(target, scope);
  if (direct !== undefined)
    return (machine) => {
      machine.value = direct(machine.value, machine.env, machine);
      op(machine);
    };
  const inner = compiler.op(target, scope, tracking);
  return (machine) => {
    before(machine, op, undefined);
    inner(machine);
  };
}

/** The rest of a container: its values, and for paths its keys. */
interface Walk {
  values: readonly JqValue[];
  keys: readonly JqValue[] | undefined;
  at: number;
  path: Path;
}

function iterateValues(machine: Machine): void {
  const { value } = machine;
  const values = valuesOf(value);
  if (values.length === 0) {
    backtrack(machine);
    return;
  }
  if (values.length > 1) fork(machine, nextValue, { values, keys: undefined, at: 1, path: nowhere });
  machine.value = values[0] as JqValue;
  resume(machine);
}

function valuesOf(value: JqValue): readonly JqValue[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return [...value.values()];
  return raise(`Cannot iterate over ${shown(value)}`);
}

const nextValue: Op = (machine) => {
  const walk = machine.data as Walk;
  const at = walk.at++;
  if (at + 1 < walk.values.length) fork(machine, nextValue, walk);
  machine.value = walk.values[at] as JqValue;
  resume(machine);
};

function iterateTracked(machine: Machine): void {
  const { value, path } = machine;
  requireIterable(machine);
  const values = valuesOf(value);
  const keys = value instanceof Map ? [...value.keys()] : undefined;
  machine.data = { values, keys, at: 0, path };
  nextTracked(machine);
}

const nextTracked: Op = (machine) => {
  const walk = machine.data as Walk;
  const at = walk.at++;
  if (at >= walk.values.length) {
    backtrack(machine);
    return;
  }
  if (at + 1 < walk.values.length) fork(machine, nextTracked, walk);
  machine.value = walk.values[at] as JqValue;
  machine.path = { key: walk.keys === undefined ? at : (walk.keys[at] as JqValue), up: walk.path };
  resume(machine);
};

/** `..` gives a value, then what is below it. */
function descend(machine: Machine): void {
  startDescent(machine, false);
}

/** @throws JqError if the value, which is about to be iterated, is no part of the input of `path(…)` */
export const requireIterable = (machine: Machine): void =>
  requirePath(machine, () => ` near attempt to iterate through ${shorten(machine.value)}`);

function descendTracked(machine: Machine): void {
  if (machine.path === nowhere) {
    // The value itself comes before what is below it.
    fork(machine, requireIterable, undefined);
    resume(machine);
  } else startDescent(machine, true);
}

interface Descent {
  walks: Walk[];
  tracking: boolean;
}

function startDescent(machine: Machine, tracking: boolean): void {
  const walks: Walk[] = [];
  openWalk(walks, machine.value, machine.path, tracking);
  if (walks.length > 0) fork(machine, nextDescendant, { walks, tracking });
  resume(machine);
}

function openWalk(walks: Walk[], value: JqValue, path: Path, tracking: boolean): void {
  if (Array.isArray(value)) {
    if (value.length > 0) walks.push({ values: value, keys: undefined, at: 0, path });
  } else if (value instanceof Map && value.size > 0) {
    walks.push({ values: [...value.values()], keys: tracking ? [...value.keys()] : undefined, at: 0, path });
  }
}

const nextDescendant: Op = (machine) => {
  const descent = machine.data as Descent;
  const { walks, tracking } = descent;
  const walk = walks.at(-1) as Walk;
  const at = walk.at++;
  if (walk.at >= walk.values.length) walks.pop();
  const value = walk.values[at] as JqValue;
  const path = tracking
    ? { key: walk.keys === undefined ? at : (walk.keys[at] as JqValue), up: walk.path }
    : nowhere;
  openWalk(walks, value, path, tracking);
  if (walks.length > 0) fork(machine, nextDescendant, descent);
  machine.value = value;
  machine.path = path;
  resume(machine);
};

/**
 * Runs an operation that tracks no path where one is tracked. Its result has the path of the input if it is the input. A number or a
 * text that the operation made itself (`made`) is another one, even if it is equal.
 */
export function detached(op: Op, made = false): Op {
  const attach: Op = (machine) => {
    const { value, path } = machine.data as Located;
    const other = made && (typeof machine.value === "string" || isNumber(machine.value));
    machine.path = !other && isSame(machine.value, value) ? path : nowhere;
    resume(machine);
  };
  return (machine) => {
    before(machine, attach, located(machine));
    op(machine);
  };
}

/**
 * Returns a value with the one path that jq tracks: that of the value it selected last. Any other value is no part of the input,
 * although it may have been one before.
 */
export function followed({ value, path }: Located, last: Located): Located {
  if (last.path === nowhere) return { value, path };
  return { value, path: isSame(value, last.value) ? last.path : nowhere };
}

/** Whether jq takes two values for one: the same container, or equal scalars. */
const isSame = (a: JqValue, b: JqValue): boolean => a === b || (isNumber(a) && Object.is(a, b));
