import type { DirectCompiler } from "./direct.ts";
import { JqError, raise, shown } from "./fault.ts";
import type { Direct, Env, Machine } from "./machine.ts";
import { expandMacro } from "./macros.ts";
import { findCallee, type Scope } from "./scope.ts";
import type { Filter } from "./syntax.ts";
import { doubleOf, isNumber, isTrue, type JqValue } from "./value.ts";

/** Passes each result to `emit`, until it returns false; returns whether it did not. @throws JqError */
export type Each = (
  value: JqValue,
  env: Env,
  machine: Machine,
  emit: (result: JqValue) => boolean,
) => boolean;

/** Compiles filters with any number of results to loops, for where all their results are consumed at once. */
export function createEach(direct: DirectCompiler): (filter: Filter, scope: Scope) => Each | undefined {
  return each;

  function each(filter: Filter, scope: Scope): Each | undefined {
    const one = direct(filter, scope);
    if (one !== undefined) return (value, env, machine, emit) => emit(one(value, env, machine));
    switch (filter.kind) {
      case "comma": {
        const left = each(filter.left, scope);
        const right = left && each(filter.right, scope);
        return (
          left &&
          right &&
          ((value, env, machine, emit) => left(value, env, machine, emit) && right(value, env, machine, emit))
        );
      }
      case "pipe": {
        const left = each(filter.left, scope);
        const right = left && each(filter.right, scope);
        return (
          left &&
          right &&
          ((value, env, machine, emit) =>
            left(value, env, machine, (item) => right(item, env, machine, emit)))
        );
      }
      case "if": {
        const test = direct(filter.test, scope);
        const passed = test && each(filter.passed, scope);
        const otherwise = passed && each(filter.otherwise ?? { kind: "identity" }, scope);
        return (
          test &&
          passed &&
          otherwise &&
          ((value, env, machine, emit) =>
            isTrue(test(value, env, machine))
              ? passed(value, env, machine, emit)
              : otherwise(value, env, machine, emit))
        );
      }
      case "iterate": {
        const target = direct(filter.target, scope);
        return target && iterate(target);
      }
      case "try": {
        const body = filter.handler === undefined ? direct(filter.body, scope) : undefined;
        return body && attempt(body);
      }
      case "call":
        return call(filter, scope);
      default:
        return undefined;
    }
  }

  function call(filter: Extract<Filter, { kind: "call" }>, scope: Scope): Each | undefined {
    const { name, args } = filter;
    if (filter.core !== true && findCallee(scope, name, args.length) !== undefined) return undefined;
    if (name === "empty" && args.length === 0) return () => true;
    const expanded = expandMacro(filter);
    if (expanded !== undefined) return each(expanded, scope);
    if (name === "range" && args.length <= 3) return range(args, scope);
    return undefined;
  }

  function range(args: readonly Filter[], scope: Scope): Each | undefined {
    const bounds = (args.length === 1 ? [zero, ...args] : [...args]).map((one) => direct(one, scope));
    const [from, to, by = direct(unit, scope)] = bounds;
    if (from === undefined || to === undefined || by === undefined) return undefined;
    return (value, env, machine, emit) => {
      const [start, end, step] = [from, to, by].map((bound) => bound(value, env, machine));
      for (const one of rangeOf(start as JqValue, end as JqValue, step as JqValue)) {
        machine.meter.steps(1);
        if (!emit(one)) return false;
      }
      return true;
    };
  }
}

const zero: Filter = { kind: "literal", value: 0 };
const unit: Filter = { kind: "literal", value: 1 };

/** Yields the numbers from `start` to before `end`. @throws JqError */
export function* rangeOf(start: JqValue, end: JqValue, step: JqValue): Generator<number> {
  if (!isNumber(start) || !isNumber(end) || !isNumber(step)) raise("Range bounds must be numeric");
  const last = doubleOf(end as number);
  const by = doubleOf(step as number);
  if (by > 0) for (let at = doubleOf(start as number); at < last; at += by) yield at;
  else if (by < 0) for (let at = doubleOf(start as number); at > last; at += by) yield at;
}

const iterate =
  (target: Direct): Each =>
  (value, env, machine, emit) => {
    const container = target(value, env, machine);
    if (Array.isArray(container)) {
      machine.meter.steps(container.length);
      for (const item of container) if (!emit(item)) return false;
      return true;
    }
    if (!(container instanceof Map)) return raise(`Cannot iterate over ${shown(container)}`);
    machine.meter.steps(container.size);
    for (const item of container.values()) if (!emit(item)) return false;
    return true;
  };

/** `f?`, for a filter with one result. */
const attempt =
  (body: Direct): Each =>
  (value, env, machine, emit) => {
    let result: JqValue;
    try {
      result = body(value, env, machine);
    } catch (error) {
      if (error instanceof JqError) return true;
      throw error;
    }
    return emit(result);
  };
