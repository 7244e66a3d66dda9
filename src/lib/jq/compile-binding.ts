import type { Compiler } from "./compile.ts";
import {
  backtrack,
  before,
  fork,
  type Located,
  located,
  type Machine,
  nowhere,
  type Op,
  relocate,
  resume,
} from "./machine.ts";
import { type Scope, withPlace } from "./scope.ts";
import { followed } from "./compile-paths.ts";
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

/** Whether a filter is a part that a pattern selects. */
const isPart = (filter: Filter): boolean =>
  filter.kind === "index" && filter.target.kind === "variable" && filter.target.name.startsWith("the part ");

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
  // A pattern selects its parts of the very value whose path is tracked, or of none.
  const tracked = tracking && isPart(source);
  const direct = tracked ? undefined : compiler.direct(source, scope);
  if (direct !== undefined)
    return (machine) => {
      machine.env.slots[slot] = direct(machine.value, machine.env, machine);
      run(machine);
    };
  const from = compiler.op(source, scope, tracked);
  const bind: Op = (machine) => {
    machine.env.slots[slot] = machine.value;
    const input = machine.data as Located;
    relocate(machine, tracked ? followed(input, machine) : input);
    run(machine);
  };
  return (machine) => {
    before(machine, bind, located(machine));
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
      ? // The last item is the outermost, as in jq.
        pattern.items
          .map((value, at) => ({ key: { kind: "literal", value: at } as Filter, value, name: undefined }))
          .toReversed()
      : pattern.members.map(({ name, key, value }) => ({
          // A key is computed from the value that is taken apart.
          key: key.kind === "literal" ? key : ({ kind: "pipe", left: variable(part), right: key } as Filter),
          value,
          name,
        }));
  return bindTo(part, source, bindParts(parts));
}

type Fold = Extract<Filter, { kind: "reduce" | "foreach" }>;

function reduce(compiler: Compiler, filter: Fold, name: string, scope: Scope, tracking: boolean): Op {
  const inner = withPlace(scope, "variable", name);
  const { slot } = inner.place;
  const startWith = starting(compiler, filter, scope, tracking);
  const inPlace = tracking ? undefined : compileInPlace(compiler.direct, filter.update, inner.scope);
  const done: Op = (machine) => {
    const { value, path, first } = machine.data as State;
    relocate(machine, tracking ? followed({ value, path }, first) : { value, path });
    resume(machine);
  };
  if (inPlace !== undefined) {
    const step: Op = (machine) => {
      const { state, owned } = machine.data as { state: State; owned: Set<JqValue> };
      machine.env.slots[slot] = machine.value;
      state.value = inPlace(state.value, machine.env, machine, owned);
      backtrack(machine);
    };
    return startWith((machine, state) => {
      fork(machine, done, state);
      before(machine, step, { state, owned: new Set() });
    });
  }
  const change = compiler.op(filter.update, inner.scope, tracking);
  const step = stepOf(slot, change, backtrack, { forget: true, tracking });
  return startWith((machine, state) => {
    fork(machine, done, state);
    before(machine, step, state);
  });
}

function foreach(compiler: Compiler, filter: Fold, name: string, scope: Scope, tracking: boolean): Op {
  const inner = withPlace(scope, "variable", name);
  const startWith = starting(compiler, filter, scope, tracking);
  const change = compiler.op(filter.update, inner.scope, tracking);
  const extract =
    filter.kind === "foreach" && filter.extract !== undefined
      ? compiler.op(filter.extract, inner.scope, tracking)
      : resume;
  const step = stepOf(inner.place.slot, change, extract, { forget: false, tracking });
  return startWith((machine, state) => before(machine, step, state));
}

/** The state of a fold; `first` is the one it started with. */
interface State extends Located {
  first: Located;
}

/** Evaluates the start on the input, then the items on the input; in between, `open` puts the step for each item in front. */
function starting(
  compiler: Compiler,
  { source, start }: Fold,
  scope: Scope,
  tracking: boolean,
): (open: (machine: Machine, state: State) => void) => Op {
  const items = compiler.op(source, scope, tracking);
  const first = compiler.op(start, scope, tracking);
  return (open) => {
    const begin: Op = (machine) => {
      const input = machine.data as Located;
      const begun = located(machine);
      open(machine, { ...begun, first: begun });
      relocate(machine, tracking ? followed(input, begun) : input);
      items(machine);
    };
    return (machine) => {
      before(machine, begin, located(machine));
      first(machine);
    };
  };
}

/**
 * Binds an item, evaluates `change` on the state, and runs `then` when a result has become the state. With `forget`, the state is
 * null if there is no result.
 */
function stepOf(
  slot: number,
  change: Op,
  then: Op,
  { forget, tracking }: { forget: boolean; tracking: boolean },
): Op {
  const store: Op = (machine) => {
    relocate(machine.data as Located, machine);
    then(machine);
  };
  return (machine) => {
    const state = machine.data as State;
    const { value, path } = state;
    const next = tracking
      ? followed(state, machine.path === nowhere ? state.first : machine)
      : { value, path };
    machine.env.slots[slot] = machine.value;
    if (forget) relocate(state, nothing);
    before(machine, store, state);
    relocate(machine, next);
    change(machine);
  };
}

const nothing: Located = { value: null, path: nowhere };
