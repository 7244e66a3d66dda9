import { OptionFault } from "../fault.ts";
import { negate, operations } from "./arithmetic.ts";
import { toObject } from "./compile-options.ts";
import { compileUpdate } from "./compile-update.ts";
import type { Compiler } from "./compile.ts";
import { formatText, isFormat } from "./formats.ts";
import { backtrack, before, fork, type Op, resume } from "./machine.ts";
import type { Scope } from "./scope.ts";
import type { Filter } from "./syntax.ts";
import type { JqValue } from "./value.ts";

/** Compiles filters whose results are no part of their input. With `tracking`, jq follows the path of what some of them evaluate, too. */
export function compileValue(compiler: Compiler, filter: Filter, scope: Scope, tracking: boolean): Op {
  const { op, product } = compiler;
  switch (filter.kind) {
    case "array":
      return filter.items === undefined ? constant([]) : collect(op(filter.items, scope, tracking));
    case "object":
      return object(compiler, filter, scope);
    case "binary": {
      const compute = operations[filter.operator];
      return product([filter.right, filter.left], scope, (machine, [right, left]) => {
        machine.value = compute(left as JqValue, right as JqValue, machine.meter);
        resume(machine);
      });
    }
    case "negate": {
      const operand = op(filter.operand, scope, tracking);
      const change: Op = (machine) => {
        machine.value = negate(machine.value);
        resume(machine);
      };
      return (machine) => {
        before(machine, change, undefined);
        operand(machine);
      };
    }
    case "text":
      return text(compiler, filter, scope);
    case "update":
      return compileUpdate(compiler, filter, scope, tracking);
    default:
      throw new Error(`There is no operation for ${filter.kind}`);
  }
}

function object(compiler: Compiler, filter: Extract<Filter, { kind: "object" }>, scope: Scope): Op {
  const parts = filter.members.flatMap(({ key, value }) => [key, value]);
  return compiler.product(parts, scope, (machine, values) => {
    machine.value = toObject(values, machine.meter);
    resume(machine);
  });
}

function text(
  compiler: Compiler,
  { format, parts, at }: Extract<Filter, { kind: "text" }>,
  scope: Scope,
): Op {
  requireFormat(format ?? "@text", at);
  const filters = parts.filter((part) => typeof part !== "string").toReversed();
  return compiler.product(filters, scope, (machine, values) => {
    let last = values.length;
    let result = "";
    for (const part of parts) {
      result +=
        typeof part === "string"
          ? part
          : formatText(format ?? "@text", values[--last] as JqValue, machine.meter);
    }
    machine.meter.text(result.length);
    machine.value = result;
    resume(machine);
  });
}

/** @throws OptionFault */
export function requireFormat(name: string, at: number): void {
  if (!isFormat(name)) throw new OptionFault(`${name} is not a format`, { index: at });
}

const constant =
  (value: JqValue): Op =>
  (machine) => {
    machine.value = value;
    resume(machine);
  };

/** `[f]` */
function collect(items: Op): Op {
  const add: Op = (machine) => {
    (machine.data as JqValue[]).push(machine.value);
    machine.meter.items(1);
    backtrack(machine);
  };
  const done: Op = (machine) => {
    machine.value = machine.data as JqValue[];
    resume(machine);
  };
  return (machine) => {
    const list: JqValue[] = [];
    fork(machine, done, list);
    before(machine, add, list);
    items(machine);
  };
}
