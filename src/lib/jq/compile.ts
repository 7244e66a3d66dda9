import { OptionFault } from "../fault.ts";
import { compileBinding } from "./compile-binding.ts";
import { compileCall, compileDefinition } from "./compile-calls.ts";
import { catching, compileControl } from "./compile-control.ts";
import { compilePath, detached } from "./compile-paths.ts";
import { compileValue, requireFormat } from "./compile-values.ts";
import { before, type Direct, fork, type Machine, type Op, type Path, resume } from "./machine.ts";
import type { CompileOptions } from "./compile-options.ts";
import { openDirect } from "./direct.ts";
import { findPlace, type Scope } from "./scope.ts";
import type { Filter } from "./syntax.ts";
import type { JqValue } from "./value.ts";

/** The compiler that its parts share. */
export interface Compiler {
  /** Compiles a filter to an operation; with `tracking`, one that keeps the path of each result. */
  op(filter: Filter, scope: Scope, tracking: boolean): Op;
  /** Compiles a filter that has exactly one result, or returns undefined. */
  direct(filter: Filter, scope: Scope): Direct | undefined;
  /** Returns an operation that evaluates filters on one input, the first outermost, and passes their results to `finish`. */
  product(filters: readonly Filter[], scope: Scope, finish: Finish): Op;
  /** The variables and inputs of the program. */
  readonly options: CompileOptions;
}

/** Gets the input in the registers of the machine. */
export type Finish = (machine: Machine, values: JqValue[]) => void;

export function createCompiler(options: CompileOptions): Compiler {
  const { direct } = openDirect(options);

  function op(filter: Filter, scope: Scope, tracking: boolean): Op {
    if (!tracking) {
      const compute = direct(filter, scope);
      if (compute !== undefined) return fromDirect(compute);
    }
    switch (filter.kind) {
      case "identity":
        return resume;
      case "index":
      case "slice":
      case "iterate":
      case "descend":
        return compilePath(compiler, filter, scope, tracking);
      case "pipe":
        return pipe(filter, scope, tracking);
      case "comma": {
        const left = op(filter.left, scope, tracking);
        const right = op(filter.right, scope, tracking);
        return (machine) => {
          fork(machine, right, undefined);
          left(machine);
        };
      }
      case "and":
      case "or":
      case "alternative":
      case "try":
      case "if":
      case "label":
      case "break":
        return compileControl(compiler, filter, scope, tracking);
      case "bind":
      case "reduce":
      case "foreach":
        return compileBinding(compiler, filter, scope, tracking);
      case "either":
        return catching(op(filter.left, scope, tracking), op(filter.right, scope, tracking));
      case "define":
        return compileDefinition(compiler, filter, scope, tracking);
      case "call":
        return compileCall(compiler, filter, scope, tracking);
      case "variable":
        if (findPlace(scope, "variable", filter.name) === undefined && !options.variables.has(filter.name))
          throw new OptionFault(`$${filter.name} is not defined`, { index: filter.at });
        return detached(op(filter, scope, false));
      case "format":
        requireFormat(filter.name, filter.at);
        return detached(op(filter, scope, false));
      case "array":
      case "negate":
      case "update":
        return tracking
          ? detached(compileValue(compiler, filter, scope, true), true)
          : compileValue(compiler, filter, scope, false);
      default:
        return tracking
          ? detached(op(filter, scope, false), true)
          : compileValue(compiler, filter, scope, false);
    }
  }

  function pipe(filter: Extract<Filter, { kind: "pipe" }>, scope: Scope, tracking: boolean): Op {
    const first = tracking ? undefined : direct(filter.left, scope);
    const right = op(filter.right, scope, tracking);
    if (first !== undefined)
      return (machine) => {
        machine.value = first(machine.value, machine.env, machine);
        right(machine);
      };
    const left = op(filter.left, scope, tracking);
    return (machine) => {
      before(machine, right, undefined);
      left(machine);
    };
  }

  function product(filters: readonly Filter[], scope: Scope, finish: Finish): Op {
    const parts = filters.map((filter) => {
      const compute = direct(filter, scope);
      return { compute, op: compute === undefined ? op(filter, scope, false) : undefined };
    });
    const advance = (machine: Machine, from: number, values: JqValue[], value: JqValue, path: Path): void => {
      for (let at = from; at < parts.length; at++) {
        const part = parts[at] as (typeof parts)[number];
        if (part.compute !== undefined) values.push(part.compute(value, machine.env, machine));
        else {
          before(machine, step, { at, values, value, path });
          machine.value = value;
          (part.op as Op)(machine);
          return;
        }
      }
      machine.value = value;
      machine.path = path;
      finish(machine, values);
    };
    const step: Op = (machine) => {
      const { at, values, value, path } = machine.data as {
        at: number;
        values: JqValue[];
        value: JqValue;
        path: Path;
      };
      // A copy: other results of the same filter continue from the same values.
      advance(machine, at + 1, [...values, machine.value], value, path);
    };
    return (machine) => advance(machine, 0, [], machine.value, machine.path);
  }

  const compiler: Compiler = { op, direct, product, options };
  return compiler;
}

const fromDirect =
  (compute: Direct): Op =>
  (machine) => {
    machine.value = compute(machine.value, machine.env, machine);
    resume(machine);
  };
