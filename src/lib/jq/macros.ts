import type { Filter } from "./syntax.ts";
import type { JqValue, TypeName } from "./value.ts";

/** Builtins that are other filters, by name and number of arguments. */
const macros: Readonly<Record<string, (...args: Filter[]) => Filter>> = {
  "select/1": (test) => ({ kind: "if", test, passed: identity, otherwise: core("empty") }),
  "map/1": (f) => ({ kind: "array", items: pipe(items, f) }),
  "map_values/1": (f) => ({ kind: "update", operator: "|=", target: items, value: f }),
  "recurse/0": () => ({ kind: "descend" }),
  "recurse/2": (f, test) => core("recurse", pipe(f, core("select", test))),
  "values/0": () => core("select", { kind: "binary", operator: "!=", left: identity, right: literal(null) }),
  "nulls/0": () => ofType("null"),
  "booleans/0": () => ofType("boolean"),
  "numbers/0": () => ofType("number"),
  "strings/0": () => ofType("string"),
  "arrays/0": () => ofType("array"),
  "objects/0": () => ofType("object"),
  "iterables/0": () => core("select", core("_is_container")),
  "scalars/0": () => core("select", pipe(core("_is_container"), core("not"))),
  "first/0": () => ({ kind: "index", target: identity, key: literal(0) }),
  "last/0": () => ({ kind: "index", target: identity, key: literal(-1) }),
  "nth/1": (key) => ({ kind: "index", target: identity, key }),
  "isempty/1": (f) => core("first", { kind: "comma", left: pipe(f, literal(false)), right: literal(true) }),
  "any/0": () => core("any", items, identity),
  "all/0": () => core("all", items, identity),
  "any/1": (test) => core("any", items, test),
  "all/1": (test) => core("all", items, test),
  "add/1": (f) => ({
    kind: "reduce",
    source: f,
    patterns: [{ kind: "name", name: "the addend" }],
    start: literal(null),
    update: {
      kind: "binary",
      operator: "+",
      left: identity,
      right: { kind: "variable", name: "the addend", at: 0 },
    },
  }),
  "with_entries/1": (f) => pipe(core("to_entries"), pipe(core("map", f), core("from_entries"))),
  "paths/0": () => core("path", below),
  "paths/1": (f) => pipe(core("path", pipe({ kind: "descend" }, core("select", f))), notRoot),
  "leaf_paths/0": () => core("paths", core("scalars")),
  "del/1": (f) => core("delpaths", { kind: "array", items: core("path", f) }),
  "error/1": (message) => pipe(message, core("error")),
  "range/1": (end) => core("range", literal(0), end),
  "sort_by/1": (f) => core("_sort_by", keys(f)),
  "group_by/1": (f) => core("_group_by", keys(f)),
  "unique_by/1": (f) => core("_unique_by", keys(f)),
  "min_by/1": (f) => core("_min_by", keys(f)),
  "max_by/1": (f) => core("_max_by", keys(f)),
  "env/0": () => ({ kind: "variable", name: environmentName, at: 0 }),
  "halt_error/0": () => core("halt_error", literal(5)),
};

/** The variable that `env` reads: a program can bind $ENV anew, but no name with a space. */
export const environmentName = "the environment";

const expansions = new WeakMap<Filter, Filter>();

/** Returns the filter that a call of a builtin stands for, if it is one of these. */
export function expandMacro(call: Extract<Filter, { kind: "call" }>): Filter | undefined {
  const name = `${call.name}/${call.args.length}`;
  if (!Object.hasOwn(macros, name)) return undefined;
  const known = expansions.get(call);
  if (known !== undefined) return known;
  const expanded = (macros[name] as (...args: Filter[]) => Filter)(...call.args);
  expansions.set(call, expanded);
  return expanded;
}

export const macroNames: readonly string[] = Object.keys(macros);

const identity: Filter = { kind: "identity" };
const items: Filter = { kind: "iterate", target: identity };

/** All values within the input, but not itself. */
const below: Filter = {
  kind: "pipe",
  left: { kind: "try", body: items, handler: undefined, selects: true },
  right: { kind: "descend" },
};

/** Selects the paths that are not the empty one. */
const notRoot: Filter = core("select", {
  kind: "binary",
  operator: ">",
  left: core("length"),
  right: { kind: "literal", value: 0 },
});

const literal = (value: JqValue): Filter => ({ kind: "literal", value });

const pipe = (left: Filter, right: Filter): Filter => ({ kind: "pipe", left, right });

/** A call of a builtin, which a definition of the program does not replace. */
export function core(name: string, ...args: Filter[]): Filter {
  return { kind: "call", name, args, at: 0, core: true };
}

const ofType = (type: TypeName): Filter =>
  core("select", { kind: "binary", operator: "==", left: core("type"), right: literal(type) });

/** `map([f])`: the keys of the items, each a list of the results of `f`. */
const keys = (f: Filter): Filter => ({ kind: "array", items: pipe(items, { kind: "array", items: f }) });
