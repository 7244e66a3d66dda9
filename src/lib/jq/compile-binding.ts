import type { Compiler } from "./compile.ts";
import { backtrack, before, type Env, fork, nowhere, type Op, type Path, resume } from "./machine.ts";
import { type Scope, withPlace } from "./scope.ts";
import { compileInPlace } from "./in-place.ts";
import { type Filter, namesIn, type Pattern } from "./syntax.ts";
import type { JqValue } from "./value.ts";

type Binding = Extract<Filter, { kind: "bind" | "reduce" | "foreach" }>;

/** Compiles what binds variables. */
export function compileBinding(compiler: Compiler, filter: Binding, scope: Scope, tracking: boolean): Op {
  if (filter.kind === "bind") {
    const [pattern] = filter.patterns;
    if (filter.patterns.length === 1 && pattern?.kind === "name")
      return bindName(compiler, filter, pattern.name, scope, tracking);
    return compiler.op(withoutPatterns(filter), scope, tracking);
  }
  const step = filter.kind === "reduce" ? reduce : foreach;
  const [pattern] = filter.patterns;
  if (filter.patterns.length === 1 && pattern?.kind === "name")
    return step(compiler, filter, pattern.name, scope, tracking);
  // The variables of the patterns are bound anew for each item.
  const rebound = (body: Filter): Filter => ({
    kind: "bind",
    source: { kind: "variable", name: itemName, at: 0 },
    patterns: filter.patterns,
    body,
  });
  if (filter.kind === "foreach" && filter.extract !== undefined) {
    const plain = { ...filter, update: rebound(filter.update), extract: rebound(filter.extract) };
    return foreach(compiler, plain, itemName, scope, tracking);
  }
  return step(compiler, { ...filter, update: rebound(filter.update) }, itemName, scope, tracking);
}

/** No name of a program has a space. */
const itemName = "the item";
const partName = (depth: number): string => `the part ${depth}`;

interface Input {
  value: JqValue;
  path: Path;
}

function bindName(
  compiler: Compiler,
  { source, body }: Extract<Filter, { kind: "bind" }>,
  name: string,
  scope: Scope,
  tracking: boolean,
): Op {
  const inner = withPlace(scope, "variable", name);
  const { slot } = inner.place;
  const run = compiler.op(body, inner.scope, tracking);
  const direct = compiler.direct(source, scope);
  if (direct !== undefined)
    return (machine) => {
      machine.env.slots[slot] = direct(machine.value, machine.env, machine);
      run(machine);
    };
  const from = compiler.op(source, scope, false);
  const bind: Op = (machine) => {
    const { value, path } = machine.data as Input;
    machine.env.slots[slot] = machine.value;
    machine.value = value;
    machine.path = path;
    run(machine);
  };
  return (machine) => {
    before(machine, bind, { value: machine.value, path: machine.path });
    from(machine);
  };
}

/** Rewrites a binding with patterns to bindings of names, one within the other. */
function withoutPatterns({ source, patterns, body }: Extract<Filter, { kind: "bind" }>): Filter {
  const names = namesIn(patterns);
  const [only] = patterns;
  const tryPattern = (pattern: Pattern): Filter => bindPattern(variable(itemName), pattern, body, 0);
  if (patterns.length === 1) return bindTo(itemName, source, tryPattern(only as Pattern));
  // A variable of one pattern is null in the others. An error of a pattern or of what follows it selects the next one.
  const nulled = (inner: Filter): Filter =>
    names.reduceRight((rest, name) => bindTo(name, { kind: "literal", value: null }, rest), inner);
  const tried = patterns.reduceRight<Filter | undefined>(
    (next, pattern) => either(nulled(tryPattern(pattern)), next),
    undefined,
  ) as Filter;
  return bindTo(itemName, source, tried);
}

const variable = (name: string): Filter => ({ kind: "variable", name, at: 0 });

const bindTo = (name: string, source: Filter, body: Filter): Filter => ({
  kind: "bind",
  source,
  patterns: [{ kind: "name", name }],
  body,
});

/** `other` gets the same input if the first filter raises an error. */
const either = (filter: Filter, other: Filter | undefined): Filter =>
  other === undefined ? filter : { kind: "either", left: filter, right: other };

function bindPattern(source: Filter, pattern: Pattern, body: Filter, depth: number): Filter {
  if (pattern.kind === "name") return bindTo(pattern.name, source, body);
  const part = partName(depth);
  const bindParts = (
    parts: { key: Filter; value: Pattern | undefined; name: string | undefined }[],
  ): Filter =>
    parts.reduceRight((rest, { key, value, name }) => {
      const item: Filter = { kind: "index", target: variable(part), key };
      const inner =
        value === undefined
          ? rest
          : bindPattern(name === undefined ? item : variable(name), value, rest, depth + 1);
      return name === undefined ? inner : bindTo(name, item, inner);
    }, body);
  const parts =
    pattern.kind === "list"
      ? pattern.items.map((value, at) => ({
          key: { kind: "literal", value: at } as Filter,
          value,
          name: undefined,
        }))
      : pattern.members.map(({ name, key, value }) => ({
          // A key is computed from the value that is taken apart.
          key: key.kind === "literal" ? key : ({ kind: "pipe", left: variable(part), right: key } as Filter),
          value,
          name,
        }));
  return bindTo(part, source, bindParts(parts));
}

interface State {
  value: JqValue;
  path: Path;
}

function reduce(
  compiler: Compiler,
  filter: Extract<Filter, { kind: "reduce" | "foreach" }>,
  name: string,
  scope: Scope,
  tracking: boolean,
): Op {
  const { source, start, update } = filter;
  const inner = withPlace(scope, "variable", name);
  const { slot } = inner.place;
  const items = compiler.op(source, scope, false);
  const first = compiler.op(start, scope, tracking);
  const inPlace = tracking ? undefined : compileInPlace(compiler.direct, update, inner.scope);
  const change = inPlace === undefined ? compiler.op(update, inner.scope, tracking) : resume;

  const done: Op = (machine) => {
    const { value, path } = machine.data as State;
    machine.value = value;
    machine.path = path;
    resume(machine);
  };
  const store: Op = (machine) => {
    const state = machine.data as State;
    state.value = machine.value;
    state.path = machine.path;
    backtrack(machine);
  };
  const step: Op = (machine) => {
    const state = machine.data as State;
    machine.env.slots[slot] = machine.value;
    const { value, path } = state;
    // If the update has no result, null is the state.
    state.value = null;
    state.path = nowhere;
    before(machine, store, state);
    machine.value = value;
    machine.path = path;
    change(machine);
  };
  const stepInPlace: Op = (machine) => {
    const { state, owned } = machine.data as { state: State; owned: Set<JqValue> };
    machine.env.slots[slot] = machine.value;
    state.value = (inPlace as NonNullable<typeof inPlace>)(state.value, machine.env, machine, owned);
    backtrack(machine);
  };
  const begin: Op = (machine) => {
    const input = machine.data as Input;
    const state: State = { value: machine.value, path: machine.path };
    fork(machine, done, state);
    if (inPlace === undefined) before(machine, step, state);
    else before(machine, stepInPlace, { state, owned: new Set() });
    machine.value = input.value;
    machine.path = input.path;
    items(machine);
  };
  return (machine) => {
    before(machine, begin, { value: machine.value, path: machine.path });
    first(machine);
  };
}

function foreach(
  compiler: Compiler,
  filter: Extract<Filter, { kind: "reduce" | "foreach" }>,
  name: string,
  scope: Scope,
  tracking: boolean,
): Op {
  const { source, start, update } = filter;
  const inner = withPlace(scope, "variable", name);
  const { slot } = inner.place;
  const items = compiler.op(source, scope, false);
  const first = compiler.op(start, scope, tracking);
  const change = compiler.op(update, inner.scope, tracking);
  const extract =
    filter.kind === "foreach" && filter.extract !== undefined
      ? compiler.op(filter.extract, inner.scope, tracking)
      : resume;

  const store: Op = (machine) => {
    const state = machine.data as State;
    state.value = machine.value;
    state.path = machine.path;
    extract(machine);
  };
  const step: Op = (machine) => {
    const state = machine.data as State;
    machine.env.slots[slot] = machine.value;
    const { value, path } = state;
    before(machine, store, state);
    machine.value = value;
    machine.path = path;
    change(machine);
  };
  const begin: Op = (machine) => {
    const input = machine.data as Input;
    before(machine, step, { value: machine.value, path: machine.path });
    machine.value = input.value;
    machine.path = input.path;
    items(machine);
  };
  return (machine) => {
    before(machine, begin, { value: machine.value, path: machine.path });
    first(machine);
  };
}

/** The variables that a caller gives: a frame around the program. */
export const toEnv = (values: readonly JqValue[]): Env => ({ up: undefined, slots: [...values] });
