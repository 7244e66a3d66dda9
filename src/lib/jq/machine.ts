import { JqError, raise } from "./fault.ts";
import type { Meter } from "./meter.ts";
import type { JqArray, JqValue } from "./value.ts";

/**
 * The evaluator: registers, and a stack of places to go back to. An operation reads the registers and sets them for what comes
 * next; it never waits for another one, so that neither the depth of a filter's calls nor the number of its results costs stack.
 */
export interface Machine {
  /** The operation that runs next. */
  op: Op;
  value: JqValue;
  /** The path of `value`, while paths are tracked. */
  path: Path;
  env: Env;
  /** The operations that follow with the result. */
  rest: Rest;
  /** The data of the rest or fork that runs. */
  data: unknown;
  forks: Fork[];
  /** Whether `value` is a result of the filter, or the filter has no more. */
  state: "running" | "result" | "done";
  readonly meter: Meter;
  readonly world: World;
}

/** The values from outside that a filter can read. */
export interface World {
  /** The next input, or undefined after the last. */
  input(): JqValue | undefined;
  /** In seconds since 1970. */
  now(): number;
  /** Gets what `debug` and `stderr` write. */
  message(text: string): void;
  /** The file of the input, or null. */
  filename(): string | null;
}

export type Op = (machine: Machine) => void;

/** Computes the one result of a filter that has exactly one. @throws JqError */
export type Direct = (value: JqValue, env: Env, machine: Machine) => JqValue;

/** The variables and closures of one call. */
export interface Env {
  readonly up: Env | undefined;
  readonly slots: unknown[];
}

/** The operations that follow after a result: a list, because several results share their continuation. */
export interface Rest {
  readonly op: Op;
  readonly env: Env;
  readonly next: Rest | undefined;
  readonly data: unknown;
  readonly depth: number;
}

/** A place to go back to for another result. Those with `catches` also take errors. */
export interface Fork {
  op: Op;
  value: JqValue;
  path: Path;
  env: Env;
  rest: Rest;
  data: unknown;
  /** `error` takes errors; `passed` takes none that come from behind `data`, a fork that takes errors. */
  catches: "nothing" | "error" | "passed";
}

/** A path, from its end; `root` is the empty one. */
export interface Path {
  readonly key: JqValue;
  readonly up: Path | undefined;
}

export const root: Path = { key: null, up: undefined };

/** The place of a value that is no part of the input. */
export const nowhere: Path = { key: null, up: undefined };

/** The frame that is some calls further out. */
export function envAt(env: Env, hops: number): Env {
  let found = env;
  for (let hop = 0; hop < hops; hop++) found = found.up as Env;
  return found;
}

/** A value with its path, kept while another one is in the registers. */
export interface Located {
  value: JqValue;
  path: Path;
}

export const located = ({ value, path }: Machine): Located => ({ value, path });

/** Copies a value with its path, into the registers or from them. */
export function relocate(target: Located, { value, path }: Located): void {
  target.value = value;
  target.path = path;
}

/** Passes on the value in `machine` as a result. */
export function resume(machine: Machine): void {
  const { rest } = machine;
  machine.op = rest.op;
  machine.env = rest.env;
  machine.data = rest.data;
  machine.rest = rest.next as Rest;
}

/** Goes back to the last fork. */
export function backtrack(machine: Machine): void {
  const last = machine.forks.pop() as Fork;
  machine.op = last.op;
  machine.value = last.value;
  machine.path = last.path;
  machine.env = last.env;
  machine.rest = last.rest;
  machine.data = last.data;
}

/** Puts an operation before what follows. */
export function before(machine: Machine, op: Op, data: unknown): void {
  const { rest } = machine;
  const depth = rest.depth + 1;
  machine.meter.depth(depth);
  machine.rest = { op, env: machine.env, next: rest, data, depth };
}

/** Makes the registers, with another operation, a place to go back to. */
export function fork(machine: Machine, op: Op, data: unknown, catches: Fork["catches"] = "nothing"): Fork {
  const { value, path, env, rest } = machine;
  const made: Fork = { op, value, path, env, rest, data, catches };
  const open = machine.forks.push(made);
  // Forks are smaller than calls, and many filters leave some open for each level.
  machine.meter.depth(open >> 3);
  return made;
}

/** Leaves the extent of a fork that takes errors: what follows is not its concern. */
export function leave(machine: Machine, catcher: Fork): void {
  if (machine.forks.at(-1) === catcher) machine.forks.pop();
  else fork(machine, backtrack, catcher, "passed");
}

/** Starts a filter on a value. */
export function createMachine(op: Op, value: JqValue, env: Env, meter: Meter, world: World): Machine {
  const rest: Rest = { op: finish("result"), env, next: undefined, data: undefined, depth: 0 };
  const machine: Machine = {
    op,
    value,
    path: root,
    env,
    rest,
    data: undefined,
    forks: [],
    state: "running",
    meter,
    world,
  };
  fork(machine, finish("done"), undefined);
  return machine;
}

const finish =
  (state: "result" | "done"): Op =>
  (machine) => {
    machine.state = state;
  };

/** Steps between two looks at the meter. */
const slice = 1000;

/**
 * Runs to the next result, which it returns, or to the end.
 * @throws JqError if the filter raises an error that it does not catch; it may go on after that
 */
export function nextResult(machine: Machine): JqValue | undefined {
  if (machine.state === "done") return undefined;
  if (machine.state === "result") backtrack(machine);
  machine.state = "running";
  for (;;) {
    try {
      for (;;) {
        for (let count = 0; count < slice; count++) {
          machine.op(machine);
          if (machine.state !== "running") return machine.state === "result" ? machine.value : undefined;
        }
        machine.meter.steps(slice);
      }
    } catch (error) {
      const raised = toJqError(error);
      if (raised === undefined || !unwind(machine, raised)) {
        machine.state = "done";
        throw raised ?? error;
      }
    }
  }
}

/** V8 refuses strings and arrays beyond its limits, and what needs more stack than there is: deep programs, and patterns on long texts. */
function toJqError(error: unknown): JqError | undefined {
  if (error instanceof JqError) return error;
  if (!(error instanceof RangeError)) return undefined;
  return new JqError(
    error.message.startsWith("Maximum call stack")
      ? "The filter needs more stack than there is: it nests too deeply, or a text is too long"
      : "The result is too large",
  );
}

/** Goes back to the fork that takes an error. Returns false if there is none. */
function unwind(machine: Machine, error: JqError): boolean {
  const { forks } = machine;
  for (;;) {
    const last = forks.at(-1);
    if (last === undefined) return false;
    if (last.catches === "passed") {
      // Down to the fork whose extent was left, and past it.
      while (forks.pop() !== last.data);
      continue;
    }
    if (last.catches === "error") {
      backtrack(machine);
      machine.data = { data: machine.data, error };
      machine.op = (last.data as Catcher).caught;
      return true;
    }
    forks.pop();
  }
}

/** The data of a fork that takes errors. */
export interface Catcher {
  /** Runs with the registers of the fork, and `data` as `Caught`. */
  caught: Op;
}

export interface Caught {
  data: Catcher;
  error: JqError;
}

/** The keys of a path. */
export function toKeys(path: Path): JqArray {
  const keys: JqArray = [];
  for (let link = path; link.up !== undefined; link = link.up) keys.push(link.key);
  return keys.toReversed();
}

/** @throws JqError if the value is no part of the input of `path(…)` */
export function requirePath(machine: Machine, describe: () => string): void {
  if (machine.path === nowhere) raise(`Invalid path expression${describe()}`);
}
