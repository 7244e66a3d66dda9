import type { DirectCompilers } from "./direct.ts";
import { JqError } from "./fault.ts";
import type { Direct } from "./machine.ts";
import type { Scope } from "./scope.ts";
import type { Filter, Logic } from "./syntax.ts";
import { isTrue, type JqValue } from "./value.ts";

/** Compiles filters that decide which of their parts are evaluated. */
export function directControl(
  compilers: DirectCompilers,
  filter: Extract<Filter, { kind: "and" | "or" | "alternative" | "try" | "if" }>,
  scope: Scope,
): Direct | undefined {
  switch (filter.kind) {
    case "alternative":
      return alternative(compilers, filter, scope);
    case "try":
      return attempt(compilers, filter, scope);
    case "if":
      return choose(compilers, filter, scope);
    default:
      return logic(compilers, filter, scope);
  }
}

function logic(compilers: DirectCompilers, filter: Logic, scope: Scope): Direct | undefined {
  return compilers.sides(filter, scope, (left, right) =>
    filter.kind === "and"
      ? (value, env, machine) => isTrue(left(value, env, machine)) && isTrue(right(value, env, machine))
      : (value, env, machine) => isTrue(left(value, env, machine)) || isTrue(right(value, env, machine)),
  );
}

function alternative(
  compilers: DirectCompilers,
  filter: Extract<Filter, { kind: "alternative" }>,
  scope: Scope,
): Direct | undefined {
  return compilers.sides(filter, scope, (left, right) => (value, env, machine) => {
    const first = left(value, env, machine);
    return isTrue(first) ? first : right(value, env, machine);
  });
}

function attempt(
  compilers: DirectCompilers,
  { body, handler }: Extract<Filter, { kind: "try" }>,
  scope: Scope,
): Direct | undefined {
  if (handler === undefined) return undefined;
  const [first, caught] = compilers.all([body, handler], scope) ?? [];
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
  compilers: DirectCompilers,
  { test, passed, otherwise }: Extract<Filter, { kind: "if" }>,
  scope: Scope,
): Direct | undefined {
  const [check, first, second] = compilers.all([test, passed, otherwise ?? same], scope) ?? [];
  if (check === undefined || first === undefined || second === undefined) return undefined;
  return (value, env, machine) =>
    isTrue(check(value, env, machine)) ? first(value, env, machine) : second(value, env, machine);
}

const same: Filter = { kind: "identity" };
