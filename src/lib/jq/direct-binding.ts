import type { DirectCompilers } from "./direct.ts";
import { compileInPlace } from "./in-place.ts";
import type { Direct } from "./machine.ts";
import { type Scope, withPlace } from "./scope.ts";
import type { Filter, Pattern } from "./syntax.ts";
import type { JqValue } from "./value.ts";

/** Compiles filters that bind the results of another one to a variable. */
export function directBinding(
  compilers: DirectCompilers,
  filter: Extract<Filter, { kind: "bind" | "reduce" }>,
  scope: Scope,
): Direct | undefined {
  return filter.kind === "bind" ? bind(compilers, filter, scope) : reduce(compilers, filter, scope);
}

function bind(
  compilers: DirectCompilers,
  filter: Extract<Filter, { kind: "bind" }>,
  scope: Scope,
): Direct | undefined {
  const name = plainName(filter.patterns);
  if (name === undefined) return undefined;
  const source = compilers.direct(filter.source, scope);
  if (source === undefined) return undefined;
  const { scope: inner, place } = withPlace(scope, "variable", name);
  const body = compilers.direct(filter.body, inner);
  return (
    body &&
    ((value, env, machine) => {
      env.slots[place.slot] = source(value, env, machine);
      return body(value, env, machine);
    })
  );
}

function reduce(
  compilers: DirectCompilers,
  filter: Extract<Filter, { kind: "reduce" }>,
  scope: Scope,
): Direct | undefined {
  const name = plainName(filter.patterns);
  if (name === undefined) return undefined;
  const source = compilers.each(filter.source, scope);
  const start = compilers.direct(filter.start, scope);
  if (source === undefined || start === undefined) return undefined;
  const { scope: inner, place } = withPlace(scope, "variable", name);
  const change = compileInPlace(compilers.direct, filter.update, inner);
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

/** Returns the name of the one variable that patterns bind; undefined if they take a value apart, or are alternatives. */
function plainName([pattern, ...others]: readonly Pattern[]): string | undefined {
  return pattern?.kind === "name" && others.length === 0 ? pattern.name : undefined;
}
