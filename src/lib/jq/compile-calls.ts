import { OptionFault } from "../fault.ts";
import { definitionOf, definedNames } from "./definitions.ts";
import type { Compiler } from "./compile.ts";
import { detached, requireIterable } from "./compile-paths.ts";
import { core, expandMacro, macroNames } from "./macros.ts";
import { type Env, envAt, type Machine, type Op, resume } from "./machine.ts";
import { findNative, nativeNames } from "./natives.ts";
import {
  type Callee,
  findCallee,
  needsFrame,
  openScope,
  type Place,
  type Scope,
  withFunction,
  withPlace,
} from "./scope.ts";
import { findForm, formNames } from "./forms.ts";
import type { Filter } from "./syntax.ts";

/** An argument of a call: a filter with the variables of its place. */
interface Closure {
  readonly body: ClosureBody;
  readonly env: Env;
}

interface ClosureBody {
  op(tracking: boolean): Op;
  /** Whether each run has variables of its own. */
  readonly framed: boolean;
}

type Call = Extract<Filter, { kind: "call" }>;

/** Compiles a call: of a parameter, a definition of the program, or a builtin. @throws OptionFault */
export function compileCall(compiler: Compiler, filter: Call, scope: Scope, tracking: boolean): Op {
  const { name, args } = filter;
  const callee = filter.core === true ? undefined : findCallee(scope, name, args.length);
  if (callee !== undefined && "slot" in callee) return callParameter(callee, scope, tracking);
  if (callee !== undefined) return callFunction(compiler, callee, args, scope, tracking);
  const expanded = expandMacro(filter);
  if (expanded !== undefined) return compiler.op(expanded, scope, tracking);
  const form = findForm(name, args.length);
  if (form !== undefined) {
    if (form.paths || !tracking) return form.compile(compiler, args, scope, tracking);
    return detached(form.compile(compiler, args, scope, false));
  }
  const selecting = tracking ? selectors[`${name}/${args.length}`] : undefined;
  if (selecting !== undefined) return compiler.op(core(selecting, ...args), scope, true);
  const native = findNative(name, args.length);
  if (native !== undefined) {
    const iterates = tracking && iterating.has(`${name}/${args.length}`);
    const op = compiler.product(args.toReversed(), scope, (machine, values) => {
      if (iterates) requireIterable(machine);
      machine.value = native(machine.value, values.toReversed(), machine);
      resume(machine);
    });
    return tracking ? detached(op, !keeping.has(name)) : op;
  }
  if (name === "builtins" && args.length === 0)
    return compiler.op({ kind: "literal", value: [...builtinNames] }, scope, tracking);
  if (name === "input_filename" && args.length === 0 && compiler.options.files)
    return detached((machine) => {
      machine.value = machine.world.filename();
      resume(machine);
    });
  const builtin = libraryOf(compiler, name, args.length);
  if (builtin !== undefined) return callFunction(compiler, builtin, args, scope, tracking);
  throw refusalOf(filter);
}

/** Builtins whose results are parts of their input only where a path is tracked. */
const selectors: Readonly<Record<string, string>> = {
  "indices/1": "_path_indices",
  "index/1": "_path_index",
  "rindex/1": "_path_rindex",
};

/** Builtins that return a number or a text as it is. */
const keeping: ReadonlySet<string> = new Set([
  "abs",
  "tonumber",
  "tostring",
  "trimstr",
  "ltrimstr",
  "rtrimstr",
  "trim",
  "ltrim",
  "rtrim",
]);

/** Builtins that jq defines by `.[]`: where a path is tracked, their input has to have one. */
const iterating: ReadonlySet<string> = new Set([
  "add/0",
  "flatten/0",
  "flatten/1",
  "from_entries/0",
  "join/1",
]);

/** Builtins of jq that depend on modules or on the process. */
const refused: Readonly<Record<string, string>> = {
  "input_filename/0": "the input is not a file",
  "get_search_list/0": "modules are not supported",
  "modulemeta/0": "modules are not supported",
};

function refusalOf({ name, args, at }: Call): OptionFault {
  const signature = `${name}/${args.length}`;
  const reason = Object.hasOwn(refused, signature) ? refused[signature] : undefined;
  const message =
    reason === undefined ? `${signature} is not defined` : `${signature} has no meaning here: ${reason}`;
  return new OptionFault(message, { index: at });
}

/** Builtins written in jq, compiled once for each compiler. */
const libraries = new WeakMap<Compiler, Map<string, Callee>>();

function libraryOf(compiler: Compiler, name: string, arity: number): Callee | undefined {
  const signature = `${name}/${arity}`;
  const library = libraries.get(compiler) ?? new Map<string, Callee>();
  libraries.set(compiler, library);
  const known = library.get(signature);
  if (known !== undefined) return known;
  const definition = definitionOf(signature);
  if (definition === undefined) return undefined;
  const callee: Callee = { definition, scope: openScope(), level: 0 };
  library.set(signature, callee);
  return callee;
}

export function compileDefinition(
  compiler: Compiler,
  { definition, body }: Extract<Filter, { kind: "define" }>,
  scope: Scope,
  tracking: boolean,
): Op {
  const inner = withFunction(scope, definition);
  const callee = findCallee(inner, definition.name, definition.params.length) as Callee;
  // A fault in a definition is found even if nothing calls it.
  bodyOf(compiler, callee, false);
  return compiler.op(body, inner, tracking);
}

function bodyOf(compiler: Compiler, callee: Callee, tracking: boolean): Op {
  const known = tracking ? callee.path : callee.value;
  if (known !== undefined) return known;
  const { definition, level } = callee;
  let scope: Scope = { frame: { level: level + 1, size: 0 }, entry: callee.scope.entry };
  for (const param of definition.params) scope = withPlace(scope, "closure", param.replace(/^\$/, "")).scope;
  // `def f($a): …` is `def f(a): a as $a | …`.
  const filter = definition.params.reduceRight<Filter>((body, param) => {
    if (!param.startsWith("$")) return body;
    const name = param.slice(1);
    const source: Filter = { kind: "call", name, args: [], at: 0 };
    return { kind: "bind", source, patterns: [{ kind: "name", name }], body };
  }, definition.body);
  const op = compiler.op(filter, scope, tracking);
  if (tracking) callee.path = op;
  else callee.value = op;
  return op;
}

function callFunction(
  compiler: Compiler,
  callee: Callee,
  args: readonly Filter[],
  scope: Scope,
  tracking: boolean,
): Op {
  const hops = scope.frame.level - callee.level;
  const makers = args.map((arg) => closureMaker(compiler, arg, scope));
  return (machine) => {
    const { env } = machine;
    machine.env = { up: envAt(env, hops), slots: makers.map((make) => make(env)) };
    // Compiled when it runs: a definition may call itself.
    machine.op = bodyOf(compiler, callee, tracking);
  };
}

function closureMaker(compiler: Compiler, arg: Filter, scope: Scope): (env: Env) => Closure {
  if (arg.kind === "call" && arg.args.length === 0 && arg.core !== true) {
    // A parameter that is passed on is passed as it is, so that recursion does not make a chain of them.
    const place = findCallee(scope, arg.name, 0);
    if (place !== undefined && "slot" in place) {
      const hops = scope.frame.level - place.level;
      return (env) => envAt(env, hops).slots[place.slot] as Closure;
    }
  }
  const framed = needsFrame(arg);
  const inner: Scope = framed
    ? { frame: { level: scope.frame.level + 1, size: 0 }, entry: scope.entry }
    : scope;
  let path: Op | undefined;
  const value = compiler.op(arg, inner, false);
  const body: ClosureBody = {
    framed,
    op(tracking) {
      if (!tracking) return value;
      path ??= compiler.op(arg, inner, true);
      return path;
    },
  };
  return (env) => ({ body, env });
}

function callParameter(place: Place, scope: Scope, tracking: boolean): Op {
  const hops = scope.frame.level - place.level;
  return (machine: Machine) => {
    const { body, env } = envAt(machine.env, hops).slots[place.slot] as Closure;
    machine.env = body.framed ? { up: env, slots: [] } : env;
    machine.op = body.op(tracking);
  };
}

/** The builtins that a program may call, by name and number of arguments. */
const builtinNames: readonly string[] = [
  ...macroNames,
  ...formNames,
  ...nativeNames,
  ...definedNames,
  "builtins/0",
]
  .filter((name) => !name.startsWith("_"))
  .toSorted();
