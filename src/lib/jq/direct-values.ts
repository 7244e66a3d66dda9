import { negate, operations } from "./arithmetic.ts";
import { toObject } from "./compile-options.ts";
import type { DirectCompilers } from "./direct.ts";
import { formatText, isFormat } from "./formats.ts";
import type { Direct } from "./machine.ts";
import type { Scope } from "./scope.ts";
import type { Filter } from "./syntax.ts";
import type { JqValue } from "./value.ts";

/** Compiles filters whose result is no part of their input. */
export function directValue(
  compilers: DirectCompilers,
  filter: Extract<Filter, { kind: "binary" | "negate" | "array" | "object" | "text" | "format" }>,
  scope: Scope,
): Direct | undefined {
  switch (filter.kind) {
    case "binary":
      return binary(compilers, filter, scope);
    case "negate": {
      const operand = compilers.direct(filter.operand, scope);
      return operand && ((value, env, machine) => negate(operand(value, env, machine)));
    }
    case "array":
      return array(compilers, filter, scope);
    case "object":
      return object(compilers, filter, scope);
    case "text":
      return text(compilers, filter, scope);
    case "format": {
      const { name } = filter;
      if (!isFormat(name)) return undefined;
      return (value, _, machine) => formatText(name, value, machine.meter);
    }
  }
}

function binary(
  compilers: DirectCompilers,
  filter: Extract<Filter, { kind: "binary" }>,
  scope: Scope,
): Direct | undefined {
  const compute = operations[filter.operator];
  return compilers.sides(filter, scope, (left, right) => (value, env, machine) => {
    const second = right(value, env, machine);
    return compute(left(value, env, machine), second, machine.meter);
  });
}

function array(
  compilers: DirectCompilers,
  { items }: Extract<Filter, { kind: "array" }>,
  scope: Scope,
): Direct | undefined {
  if (items === undefined) return () => [];
  const walk = compilers.each(items, scope);
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

function object(
  compilers: DirectCompilers,
  { members }: Extract<Filter, { kind: "object" }>,
  scope: Scope,
): Direct | undefined {
  const parts = compilers.all(
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

function text(
  compilers: DirectCompilers,
  { format, parts }: Extract<Filter, { kind: "text" }>,
  scope: Scope,
): Direct | undefined {
  const pieces = parts.map((part) => (typeof part === "string" ? part : compilers.direct(part, scope)));
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
