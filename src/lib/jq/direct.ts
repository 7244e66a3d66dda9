import { negate, operations } from "./arithmetic.ts";
import { type CompileOptions, toObject } from "./compile-options.ts";
import { createEach, type Each } from "./each.ts";
import { JqError } from "./fault.ts";
import { formatText, isFormat } from "./formats.ts";
import { compileInPlace } from "./in-place.ts";
import { indexValue, sliceValue } from "./index.ts";
import { type Direct, type Env, envAt } from "./machine.ts";
import { expandMacro } from "./macros.ts";
import { findNative, type Native } from "./natives.ts";
import { findCallee, findPlace, type Scope, withPlace } from "./scope.ts";
import type { Filter, Logic } from "./syntax.ts";
import { isTrue, type JqValue } from "./value.ts";

export type DirectCompiler = (filter: Filter, scope: Scope) => Direct | undefined;

/**
 * Compiles filters that have exactly one result to functions, several times as fast as operations of the machine. Recursion of
 * these functions is as deep as the program nests, never as deep as a document or as the calls of a filter.
 */
export function openDirect(options: CompileOptions): {
  direct: DirectCompiler;
  each: (filter: Filter, scope: Scope) => Each | undefined;
} {
  const each = createEach(direct);

  function all(filters: readonly Filter[], scope: Scope): Direct[] | undefined {
    const found: Direct[] = [];
    for (const filter of filters) {
      const one = direct(filter, scope);
      if (one === undefined) return undefined;
      found.push(one);
    }
    return found;
  }

  function direct(filter: Filter, scope: Scope): Direct | undefined {
    switch (filter.kind) {
      case "identity":
        return (value) => value;
      case "literal": {
        const { value } = filter;
        return () => value;
      }
      case "variable":
        return variable(filter.name, scope);
      case "index":
        return index(filter, scope);
      case "slice":
        return slice(filter, scope);
      case "pipe": {
        const [left, right] = all([filter.left, filter.right], scope) ?? [];
        if (left === undefined || right === undefined) return undefined;
        return (value, env, machine) => right(left(value, env, machine), env, machine);
      }
      case "binary":
        return binary(filter, scope);
      case "negate": {
        const operand = direct(filter.operand, scope);
        return operand && ((value, env, machine) => negate(operand(value, env, machine)));
      }
      case "and":
      case "or":
        return logic(filter, scope);
      case "alternative":
        return alternative(filter, scope);
      case "try":
        return attempt(filter, scope);
      case "if":
        return choose(filter, scope);
      case "array":
        return array(filter, scope);
      case "object":
        return object(filter, scope);
      case "text":
        return text(filter, scope);
      case "format": {
        const { name } = filter;
        if (!isFormat(name)) return undefined;
        return (value, _, machine) => formatText(name, value, machine.meter);
      }
      case "bind":
        return bind(filter, scope);
      case "reduce":
        return reduce(filter, scope);
      case "update": {
        const change = compileInPlace(direct, filter, scope);
        return change && ((value, env, machine) => change(value, env, machine, new Set()));
      }
      case "call":
        return call(filter, scope);
      default:
        return undefined;
    }
  }

  function variable(name: string, scope: Scope): Direct | undefined {
    const place = findPlace(scope, "variable", name);
    if (place === undefined) {
      const value = options.variables.get(name);
      return value === undefined ? undefined : () => value;
    }
    const { slot } = place;
    const hops = scope.frame.level - place.level;
    if (hops === 0) return (_, env) => env.slots[slot] as JqValue;
    if (hops === 1) return (_, env) => (env.up as Env).slots[slot] as JqValue;
    return (_, env) => envAt(env, hops).slots[slot] as JqValue;
  }

  function index({ target, key }: Extract<Filter, { kind: "index" }>, scope: Scope): Direct | undefined {
    const from = direct(target, scope);
    if (from === undefined) return undefined;
    if (key.kind === "literal") {
      const { value: name } = key;
      if (typeof name === "string") {
        const member = (container: JqValue): JqValue =>
          container instanceof Map ? (container.get(name) ?? null) : indexValue(container, name);
        if (target.kind === "identity") return member;
        return (value, env, machine) => member(from(value, env, machine));
      }
    }
    const by = direct(key, scope);
    return by && ((value, env, machine) => indexValue(from(value, env, machine), by(value, env, machine)));
  }

  function slice({ target, from, to }: Extract<Filter, { kind: "slice" }>, scope: Scope): Direct | undefined {
    const [of, start, end] = all([target, from ?? nothing, to ?? nothing], scope) ?? [];
    if (of === undefined || start === undefined || end === undefined) return undefined;
    return (value, env, machine) =>
      sliceValue(of(value, env, machine), start(value, env, machine), end(value, env, machine));
  }

  function binary(filter: Extract<Filter, { kind: "binary" }>, scope: Scope): Direct | undefined {
    const [left, right] = all([filter.left, filter.right], scope) ?? [];
    if (left === undefined || right === undefined) return undefined;
    const compute = operations[filter.operator];
    return (value, env, machine) => {
      const second = right(value, env, machine);
      return compute(left(value, env, machine), second, machine.meter);
    };
  }

  function logic(filter: Logic, scope: Scope): Direct | undefined {
    const [left, right] = all([filter.left, filter.right], scope) ?? [];
    if (left === undefined || right === undefined) return undefined;
    if (filter.kind === "and")
      return (value, env, machine) => isTrue(left(value, env, machine)) && isTrue(right(value, env, machine));
    return (value, env, machine) => isTrue(left(value, env, machine)) || isTrue(right(value, env, machine));
  }

  function alternative(filter: Extract<Filter, { kind: "alternative" }>, scope: Scope): Direct | undefined {
    const [left, right] = all([filter.left, filter.right], scope) ?? [];
    if (left === undefined || right === undefined) return undefined;
    return (value, env, machine) => {
      const first = left(value, env, machine);
      return isTrue(first) ? first : right(value, env, machine);
    };
  }

  function attempt({ body, handler }: Extract<Filter, { kind: "try" }>, scope: Scope): Direct | undefined {
    if (handler === undefined) return undefined;
    const [first, caught] = all([body, handler], scope) ?? [];
    if (first === undefined || caught === undefined) return undefined;
    return (value, env, machine) => {
      let raised: JqValue;
      try {
        return first(value, env, machine);
      } catch (error) {
        if (!(error instanceof JqError)) throw error;
        raised = error.value;
      }
      return caught(raised, env, machine);
    };
  }

  function choose(
    { test, passed, otherwise }: Extract<Filter, { kind: "if" }>,
    scope: Scope,
  ): Direct | undefined {
    const [check, first, second] = all([test, passed, otherwise ?? same], scope) ?? [];
    if (check === undefined || first === undefined || second === undefined) return undefined;
    return (value, env, machine) =>
      isTrue(check(value, env, machine)) ? first(value, env, machine) : second(value, env, machine);
  }

  function array({ items }: Extract<Filter, { kind: "array" }>, scope: Scope): Direct | undefined {
    if (items === undefined) return () => [];
    const walk = each(items, scope);
    if (walk === undefined) return undefined;
    return (value, env, machine) => {
      const list: JqValue[] = [];
      walk(value, env, machine, (item) => {
        machine.meter.items(1);
        list.push(item);
        return true;
      });
      return list;
    };
  }

  function object({ members }: Extract<Filter, { kind: "object" }>, scope: Scope): Direct | undefined {
    const parts = all(
      members.flatMap(({ key, value }) => [key, value]),
      scope,
    );
    if (parts === undefined) return undefined;
    return (value, env, machine) =>
      toObject(
        parts.map((part) => part(value, env, machine)),
        machine.meter,
      );
  }

  function text({ format, parts }: Extract<Filter, { kind: "text" }>, scope: Scope): Direct | undefined {
    const pieces = parts.map((part) => (typeof part === "string" ? part : direct(part, scope)));
    const name = format ?? "@text";
    if (!isFormat(name) || !pieces.every((piece) => piece !== undefined)) return undefined;
    return (value, env, machine) => {
      let result = "";
      for (const piece of pieces)
        result +=
          typeof piece === "string" ? piece : formatText(name, piece(value, env, machine), machine.meter);
      machine.meter.text(result.length);
      return result;
    };
  }

  function bind(filter: Extract<Filter, { kind: "bind" }>, scope: Scope): Direct | undefined {
    const [pattern, ...others] = filter.patterns;
    if (pattern?.kind !== "name" || others.length > 0) return undefined;
    const source = direct(filter.source, scope);
    if (source === undefined) return undefined;
    const { scope: inner, place } = withPlace(scope, "variable", pattern.name);
    const body = direct(filter.body, inner);
    return (
      body &&
      ((value, env, machine) => {
        env.slots[place.slot] = source(value, env, machine);
        return body(value, env, machine);
      })
    );
  }

  function reduce(filter: Extract<Filter, { kind: "reduce" }>, scope: Scope): Direct | undefined {
    const [pattern, ...others] = filter.patterns;
    if (pattern?.kind !== "name" || others.length > 0) return undefined;
    const source = each(filter.source, scope);
    const start = direct(filter.start, scope);
    if (source === undefined || start === undefined) return undefined;
    const { scope: inner, place } = withPlace(scope, "variable", pattern.name);
    const change = compileInPlace(direct, filter.update, inner);
    if (change === undefined) return undefined;
    return (value, env, machine) => {
      let state = start(value, env, machine);
      const owned = new Set<JqValue>();
      source(value, env, machine, (item) => {
        env.slots[place.slot] = item;
        state = change(state, env, machine, owned);
        return true;
      });
      return state;
    };
  }

  function call(filter: Extract<Filter, { kind: "call" }>, scope: Scope): Direct | undefined {
    const { name, args } = filter;
    if (filter.core !== true && findCallee(scope, name, args.length) !== undefined) return undefined;
    const expanded = expandMacro(filter);
    if (expanded !== undefined) return direct(expanded, scope);
    const native = findNative(name, args.length);
    if (native === undefined) return undefined;
    const computed = all(args, scope);
    return computed && callNative(native, computed);
  }

  return { direct, each };
}

const nothing: Filter = { kind: "literal", value: null };
const same: Filter = { kind: "identity" };

function callNative(native: Native, args: readonly Direct[]): Direct {
  const [first] = args;
  if (first === undefined) return (value, _, machine) => native(value, [], machine);
  if (args.length === 1) return (value, env, machine) => native(value, [first(value, env, machine)], machine);
  return (value, env, machine) => {
    const values: JqValue[] = [];
    for (let at = args.length - 1; at >= 0; at--) values[at] = (args[at] as Direct)(value, env, machine);
    return native(value, values, machine);
  };
}
