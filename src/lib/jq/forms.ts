import type { Compiler } from "./compile.ts";
import { limited, raiseInput, skipping } from "./compile-control.ts";
import { rangeOf } from "./each.ts";
import { raise, shorten, shown } from "./fault.ts";
import { backtrack, before, fork, type Op, type Path, requirePath, resume, root, toKeys } from "./machine.ts";
import { getPath } from "./paths.ts";
import type { Scope } from "./scope.ts";
import { core } from "./macros.ts";
import type { Filter } from "./syntax.ts";
import { doubleOf, isArray, isNumber, type JqValue } from "./value.ts";

/** A builtin that evaluates its arguments itself. */
export interface Form {
  /** Whether its results can be parts of its input. */
  paths: boolean;
  compile(compiler: Compiler, args: readonly Filter[], scope: Scope, tracking: boolean): Op;
}

export const findForm = (name: string, arity: number): Form | undefined => {
  const signature = `${name}/${arity}`;
  return Object.hasOwn(forms, signature) ? forms[signature] : undefined;
};

const constant = (op: Op): Form => ({ paths: true, compile: () => op });

const forms: Readonly<Record<string, Form>> = {
  "empty/0": constant(backtrack),
  "error/0": constant(raiseInput),
  "input/0": {
    paths: false,
    compile: () => (machine) => {
      machine.value = machine.world.input() ?? raise("No more inputs");
      resume(machine);
    },
  },
  "inputs/0": { paths: false, compile: () => inputs },
  "path/1": {
    paths: false,
    compile(compiler, [filter], scope) {
      const inner = compiler.op(filter as Filter, scope, true);
      return (machine) => {
        before(machine, toPath, undefined);
        machine.path = root;
        inner(machine);
      };
    },
  },
  "getpath/1": {
    paths: true,
    compile: (compiler, args, scope, tracking) =>
      compiler.product(args, scope, (machine, [path]) => {
        const { value } = machine;
        const found = getPath(value, path as JqValue);
        if (tracking) {
          requirePath(machine, () => ` with result ${shorten(value)}`);
          if (!isArray(path as JqValue)) raise("Path must be specified as an array");
          for (const key of path as JqValue[]) machine.path = { key, up: machine.path };
        }
        machine.value = found;
        resume(machine);
      }),
  },
  "recurse/1": {
    paths: true,
    compile(compiler, [filter], scope, tracking) {
      const step = compiler.op(filter as Filter, scope, tracking);
      const below: Op = (machine) => {
        before(machine, recurse, undefined);
        step(machine);
      };
      const recurse: Op = (machine) => {
        fork(machine, below, undefined);
        resume(machine);
      };
      return recurse;
    },
  },
  "first/1": {
    paths: true,
    compile: (compiler, [filter], scope, tracking) =>
      limited(1, compiler.op(filter as Filter, scope, tracking)),
  },
  "last/1": {
    paths: true,
    compile: (compiler, [filter], scope, tracking) => last(compiler.op(filter as Filter, scope, tracking)),
  },
  "limit/2": counted("limit doesn't support negative count", limited),
  "skip/2": counted("skip doesn't support negative count", skipping),
  "nth/2": counted("nth doesn't support negative indices", (times, op) => limited(1, skipping(times, op))),
  "any/2": { paths: true, compile: (compiler, args, ...place) => decide(compiler, args, "or", ...place) },
  "all/2": { paths: true, compile: (compiler, args, ...place) => decide(compiler, args, "and", ...place) },
  "range/2": { paths: false, compile: (compiler, args, scope) => range(compiler, args, scope) },
  "range/3": { paths: false, compile: (compiler, args, scope) => range(compiler, args, scope) },
};

export const formNames: readonly string[] = Object.keys(forms);

const inputs: Op = (machine) => {
  const value = machine.world.input();
  if (value === undefined) {
    backtrack(machine);
    return;
  }
  fork(machine, inputs, undefined);
  machine.value = value;
  resume(machine);
};

const toPath: Op = (machine) => {
  requirePath(machine, () => ` with result ${shorten(machine.value)}`);
  const keys = toKeys(machine.path);
  machine.meter.items(4 + keys.length);
  machine.value = keys;
  resume(machine);
};

function last(op: Op): Op {
  interface Last {
    found: boolean;
    value: JqValue;
    path: Path;
  }
  const store: Op = (machine) => {
    Object.assign(machine.data as Last, { found: true, value: machine.value, path: machine.path });
    backtrack(machine);
  };
  const done: Op = (machine) => {
    const { found, value, path } = machine.data as Last;
    if (!found) {
      backtrack(machine);
      return;
    }
    machine.value = value;
    machine.path = path;
    resume(machine);
  };
  return (machine) => {
    const data: Last = { found: false, value: null, path: root };
    fork(machine, done, data);
    before(machine, store, data);
    op(machine);
  };
}

/** A builtin with a count and a filter, which runs what `make` returns for each result of the count. */
function counted(negative: string, make: (times: number, op: Op) => Op): Form {
  return {
    paths: true,
    compile(compiler, [count, filter], scope, tracking) {
      const op = compiler.op(filter as Filter, scope, tracking);
      return compiler.product([count as Filter], scope, (machine, [value]) => {
        // Null and booleans are less than 0.
        if (value === null || typeof value === "boolean") raise(negative);
        if (!isNumber(value as JqValue))
          raise(`${shown(value as JqValue)} and number (1) cannot be subtracted`);
        const times = Math.ceil(doubleOf(value as number));
        // A number that is not one is less than 0.
        if (!(times >= 0)) raise(negative);
        make(times, op)(machine);
      });
    },
  };
}

/** `any` and `all`: whether there is a result after which nothing can change. */
function decide(
  compiler: Compiler,
  args: readonly Filter[],
  kind: "and" | "or",
  scope: Scope,
  tracking: boolean,
): Op {
  const [generator, test] = args as [Filter, Filter];
  const deciding: Filter = { kind, left: test, right: core("empty") };
  const empty = core("isempty", core("first", { kind: "pipe", left: generator, right: deciding }));
  return compiler.op(
    kind === "and" ? empty : { kind: "pipe", left: empty, right: core("not") },
    scope,
    tracking,
  );
}

function range(compiler: Compiler, args: readonly Filter[], scope: Scope): Op {
  const next: Op = (machine) => {
    const numbers = machine.data as Generator<number>;
    const step = numbers.next();
    if (step.done === true) {
      backtrack(machine);
      return;
    }
    fork(machine, next, numbers);
    machine.value = step.value;
    resume(machine);
  };
  return compiler.product(args, scope, (machine, [from, to, by = 1]) => {
    machine.data = rangeOf(from as JqValue, to as JqValue, by);
    next(machine);
  });
}
