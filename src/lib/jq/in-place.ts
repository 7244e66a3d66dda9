import { append } from "../append.ts";
import { add, type Operation, operations } from "./arithmetic.ts";
import type { DirectCompiler } from "./direct.ts";
import { raise, shown } from "./fault.ts";
import { indexValue, type Owned, setValue } from "./index.ts";
import type { Direct, Env, Machine } from "./machine.ts";
import type { Meter } from "./meter.ts";
import type { Scope } from "./scope.ts";
import type { BinaryOperator, Filter } from "./syntax.ts";
import { isTrue, type JqValue } from "./value.ts";

/**
 * Changes a value and returns it. The containers in `owned` are held by this value alone, each by an owned container or as the value
 * itself, so that they are changed in place; others are copied, and the copies are owned. That makes a `reduce` that builds a large
 * object linear.
 */
export type InPlace = (value: JqValue, env: Env, machine: Machine, owned: Owned) => JqValue;

/** Compiles a chain of updates, each of one place; returns undefined for other filters with more or fewer results than one. */
export function compileInPlace(direct: DirectCompiler, filter: Filter, scope: Scope): InPlace | undefined {
  switch (filter.kind) {
    case "identity":
      return (value) => value;
    case "pipe": {
      const left = compileInPlace(direct, filter.left, scope);
      const right = left && compileInPlace(direct, filter.right, scope);
      if (left === undefined || right === undefined) return undefined;
      return (value, env, machine, owned) => right(left(value, env, machine, owned), env, machine, owned);
    }
    case "if": {
      const test = direct(filter.test, scope);
      const passed = test && compileInPlace(direct, filter.passed, scope);
      const otherwise = passed && compileInPlace(direct, filter.otherwise ?? { kind: "identity" }, scope);
      if (test === undefined || passed === undefined || otherwise === undefined) return undefined;
      return (value, env, machine, owned) =>
        isTrue(test(value, env, machine))
          ? passed(value, env, machine, owned)
          : otherwise(value, env, machine, owned);
    }
    case "binary": {
      const { operator, left, right } = filter;
      if (operator !== "+" || left.kind !== "identity" || !ignoresInput(right)) break;
      const addend = direct(right, scope);
      return (
        addend && ((value, env, machine, owned) => addTo(value, addend(value, env, machine), machine, owned))
      );
    }
    case "update":
      return update(direct, filter, scope);
    default:
  }
  const other = direct(filter, scope);
  return other && disowning(other);
}

/** The result may share parts with the value before. */
const disowning =
  (compute: Direct): InPlace =>
  (value, env, machine, owned) => {
    const result = compute(value, env, machine);
    if (typeof result === "object" && result !== null) owned.clear();
    return result;
  };

function update(
  direct: DirectCompiler,
  filter: Extract<Filter, { kind: "update" }>,
  scope: Scope,
): InPlace | undefined {
  const target = stepsOf(filter.target);
  if (target === undefined) return undefined;
  const keys: Direct[] = [];
  for (const key of target.keys) {
    const compiled = direct(key, scope);
    if (compiled === undefined) return undefined;
    keys.push(compiled);
  }
  const change = changeOf(direct, filter, scope);
  if (change === undefined) return undefined;
  return (value, env, machine, owned) => {
    const path = keys.map((key) => key(value, env, machine));
    const by = change(value, env, machine, owned);
    return changeAt(value, path, target.iterates ? changeAll(by, machine) : by, machine.meter, owned);
  };
}

/** Changes one value that lies in the input. */
type Change = (old: JqValue, owned: Owned) => JqValue;

/** Evaluates what depends on the input, once, and returns what is done with each value. */
function changeOf(
  direct: DirectCompiler,
  { operator, value: filter }: Extract<Filter, { kind: "update" }>,
  scope: Scope,
): ((value: JqValue, env: Env, machine: Machine, owned: Owned) => Change) | undefined {
  if (operator === "|=") {
    const inner = compileInPlace(direct, filter, scope);
    return inner && ((_, env, machine) => (old, owned) => inner(old, env, machine, owned));
  }
  const operand = direct(filter, scope);
  if (operand === undefined) return undefined;
  const shares = !ignoresInput(filter);
  const combine = combination(operator.slice(0, -1));
  return (value, env, machine, owned) => {
    const right = operand(value, env, machine);
    if (shares && typeof right === "object" && right !== null) owned.clear();
    return (old, mine) => {
      if (operator === "+=") return addTo(old, right, machine, mine);
      const result = combine(old, right, machine.meter);
      if (operator !== "=" && typeof result === "object" && result !== null) mine.clear();
      return result;
    };
  };
}

/** Returns the function that an assignment applies to the old value and the operand. */
export function combination(operator: string): Operation {
  if (operator === "") return (_, right) => right;
  if (operator === "//") return (old, right) => (isTrue(old) ? old : right);
  return operations[operator as BinaryOperator];
}

function changeAt(
  root: JqValue,
  path: readonly JqValue[],
  change: Change,
  meter: Meter,
  owned: Owned,
): JqValue {
  const containers: JqValue[] = [];
  let value = root;
  for (const key of path) {
    containers.push(value);
    value = indexValue(value, key);
  }
  const held = containers.filter((container) => owned.has(container));
  const shared = owned.size === 0;
  let result = change(value, owned);
  // The change saw the value alone, and not the containers around it.
  if (!shared) for (const container of held) owned.add(container);
  for (let at = path.length - 1; at >= 0; at--)
    result = setValue(containers[at] as JqValue, path[at] as JqValue, result, meter, owned);
  return result;
}

const changeAll =
  (change: Change, machine: Machine): Change =>
  (old, owned) => {
    if (Array.isArray(old)) {
      machine.meter.items(old.length);
      return old.map((item) => change(item, owned));
    }
    if (!(old instanceof Map)) return raise(`Cannot iterate over ${shown(old)}`);
    machine.meter.members(old.size);
    const result = new Map<string, JqValue>();
    for (const [key, item] of old) result.set(key, change(item, owned));
    return result;
  };

export function addTo(value: JqValue, addend: JqValue, machine: Machine, owned: Owned): JqValue {
  if (Array.isArray(value) && Array.isArray(addend)) {
    if (!owned.has(value)) {
      const sum = add(value, addend, machine.meter);
      owned.add(sum);
      return sum;
    }
    machine.meter.items(addend.length);
    append(value, addend);
    return value;
  }
  if (value instanceof Map && addend instanceof Map) {
    if (!owned.has(value)) {
      const sum = add(value, addend, machine.meter);
      owned.add(sum);
      return sum;
    }
    machine.meter.members(addend.size);
    for (const [key, item] of addend) value.set(key, item);
    return value;
  }
  return add(value, addend, machine.meter);
}

/** The keys of a target such as `.a[$i].b` or `.a[]`; other targets have several places or none. */
function stepsOf(target: Filter): { keys: Filter[]; iterates: boolean } | undefined {
  const keys: Filter[] = [];
  let rest = target;
  const iterates = rest.kind === "iterate";
  if (rest.kind === "iterate") rest = rest.target;
  for (; rest.kind === "index"; rest = rest.target) keys.push(rest.key);
  if (rest.kind !== "identity") return undefined;
  return { keys: keys.toReversed(), iterates };
}

/** Reports whether no part of the input can be in the result, as far as the form of the filter shows. */
function ignoresInput(filter: Filter): boolean {
  switch (filter.kind) {
    case "literal":
    case "variable":
      return true;
    case "pipe":
      return ignoresInput(filter.left);
    case "index":
      return ignoresInput(filter.target);
    case "array":
      return filter.items === undefined || ignoresInput(filter.items);
    case "object":
      return filter.members.every(({ value }) => ignoresInput(value));
    case "binary":
      return ignoresInput(filter.left) && ignoresInput(filter.right);
    case "text":
      return true;
    default:
      return false;
  }
}
