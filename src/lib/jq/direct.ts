import type { CompileOptions } from "./compile-options.ts";
import { directBinding } from "./direct-binding.ts";
import { directControl } from "./direct-control.ts";
import { directValue } from "./direct-values.ts";
import { createEach, type Each } from "./each.ts";
import { compileInPlace } from "./in-place.ts";
import { indexValue, sliceValue } from "./index.ts";
import { type Direct, type Env, envAt } from "./machine.ts";
import { expandMacro } from "./macros.ts";
import { findNative, type Native } from "./natives.ts";
import { findCallee, findPlace, type Scope } from "./scope.ts";
import type { Filter } from "./syntax.ts";
import type { JqValue } from "./value.ts";

export type DirectCompiler = (filter: Filter, scope: Scope) => Direct | undefined;

/** The compilers that the parts of this compiler call for their operands. */
export interface DirectCompilers {
  direct: DirectCompiler;
  /** Compiles filters that have one result each; returns undefined if one has not. */
  all(filters: readonly Filter[], scope: Scope): Direct[] | undefined;
  /** Compiles the sides of an operator and combines them; returns undefined if one has not exactly one result. */
  sides(sides: Sides, scope: Scope, combine: (left: Direct, right: Direct) => Direct): Direct | undefined;
  each(filter: Filter, scope: Scope): Each | undefined;
}

interface Sides {
  left: Filter;
  right: Filter;
}

/**
 * Compiles filters that have exactly one result to functions, several times as fast as operations of the machine. Recursion of
 * these functions is as deep as the program nests, never as deep as a document or as the calls of a filter.
 */
export function openDirect(options: CompileOptions): Pick<DirectCompilers, "direct" | "each"> {
  const each = createEach(direct);
  const compilers: DirectCompilers = { direct, all, sides, each };

  function all(filters: readonly Filter[], scope: Scope): Direct[] | undefined {
    const found: Direct[] = [];
    for (const filter of filters) {
      const one = direct(filter, scope);
      if (one === undefined) return undefined;
      found.push(one);
    }
    return found;
  }

  function sides(
    filter: Sides,
    scope: Scope,
    combine: (left: Direct, right: Direct) => Direct,
  ): Direct | undefined {
    const left = direct(filter.left, scope);
    const right = left && direct(filter.right, scope);
    return right && combine(left, right);
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
      case "pipe":
        return sides(
          filter,
          scope,
          (left, right) => (value, env, machine) => right(left(value, env, machine), env, machine),
        );
      case "binary":
      case "negate":
      case "array":
      case "object":
      case "text":
      case "format":
        return directValue(compilers, filter, scope);
      case "and":
      case "or":
      case "alternative":
      case "try":
      case "if":
        return directControl(compilers, filter, scope);
      case "bind":
      case "reduce":
        return directBinding(compilers, filter, scope);
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
