import { OptionFault } from "../fault.ts";
import type { Compiler } from "./compile.ts";
import { detached, followed } from "./compile-paths.ts";
import { raise } from "./fault.ts";
import {
  backtrack,
  before,
  type Catcher,
  type Caught,
  envAt,
  fork,
  type Fork,
  leave,
  type Located,
  located,
  nowhere,
  type Op,
  relocate,
  resume,
} from "./machine.ts";
import { findPlace, type Scope, withPlace } from "./scope.ts";
import type { Filter, Logic } from "./syntax.ts";
import { isTrue } from "./value.ts";

type Control = Logic | Extract<Filter, { kind: "alternative" | "try" | "if" | "label" | "break" }>;

/** Compiles what chooses between filters or ends them. */
export function compileControl(compiler: Compiler, filter: Control, scope: Scope, tracking: boolean): Op {
  switch (filter.kind) {
    case "if":
      return choose(compiler, filter, scope, tracking);
    case "try":
      return attempt(compiler, filter, scope, tracking);
    case "alternative":
      return otherwise(compiler.op(filter.left, scope, tracking), compiler.op(filter.right, scope, tracking));
    case "label": {
      const inner = withPlace(scope, "label", filter.name);
      const body = compiler.op(filter.body, inner.scope, tracking);
      const { slot } = inner.place;
      return (machine) => {
        machine.env.slots[slot] = machine.forks.length;
        fork(machine, backtrack, undefined);
        body(machine);
      };
    }
    case "break": {
      const place = findPlace(scope, "label", filter.name);
      if (place === undefined)
        throw new OptionFault(`$*label-${filter.name} is not defined`, { index: filter.at });
      const hops = scope.frame.level - place.level;
      return (machine) => {
        machine.forks.length = envAt(machine.env, hops).slots[place.slot] as number;
        backtrack(machine);
      };
    }
    default: {
      const op = logic(compiler, filter, scope, tracking);
      return tracking ? detached(op) : op;
    }
  }
}

function choose(
  compiler: Compiler,
  filter: Extract<Filter, { kind: "if" }>,
  scope: Scope,
  tracking: boolean,
): Op {
  const passed = compiler.op(filter.passed, scope, tracking);
  const other = filter.otherwise === undefined ? resume : compiler.op(filter.otherwise, scope, tracking);
  const direct = compiler.direct(filter.test, scope);
  if (direct !== undefined)
    return (machine) => {
      if (isTrue(direct(machine.value, machine.env, machine))) passed(machine);
      else other(machine);
    };
  const test = compiler.op(filter.test, scope, false);
  const decide: Op = (machine) => {
    const chosen = isTrue(machine.value) ? passed : other;
    relocate(machine, machine.data as Located);
    chosen(machine);
  };
  return (machine) => {
    before(machine, decide, located(machine));
    test(machine);
  };
}

/** `a and b` and `a or b`: the right side counts only where the left one does not decide. */
function logic(compiler: Compiler, { kind, left, right }: Logic, scope: Scope, tracking: boolean): Op {
  const first = compiler.op(left, scope, tracking);
  const second = compiler.op(right, scope, tracking);
  const toBoolean: Op = (machine) => {
    machine.value = isTrue(machine.value);
    resume(machine);
  };
  const decide: Op = (machine) => {
    const holds = isTrue(machine.value);
    if (holds === (kind === "or")) {
      machine.value = holds;
      resume(machine);
      return;
    }
    const input = machine.data as Located;
    relocate(machine, tracking ? followed(input, machine) : input);
    before(machine, toBoolean, undefined);
    second(machine);
  };
  return (machine) => {
    before(machine, decide, located(machine));
    first(machine);
  };
}

const exit: Op = (machine) => {
  leave(machine, machine.data as Fork);
  resume(machine);
};

/** Runs an operation; `caught` runs with the value in front of it if it raises an error. */
export function catching(body: Op, caught: Op): Op {
  const catcher: Catcher = { caught };
  return (machine) => {
    const made = fork(machine, backtrack, catcher, "error");
    before(machine, exit, made);
    body(machine);
  };
}

function attempt(
  compiler: Compiler,
  filter: Extract<Filter, { kind: "try" }>,
  scope: Scope,
  tracking: boolean,
): Op {
  const body = compiler.op(filter.body, scope, tracking);
  if (filter.handler === undefined) {
    const guarded = catching(body, backtrack);
    if (!tracking || filter.selects !== true) return guarded;
    return (machine) => (machine.path === nowhere ? body : guarded)(machine);
  }
  // A handler's input is the error, which is no part of the input.
  const handler = compiler.op(filter.handler, scope, tracking);
  return catching(body, (machine) => {
    const { error } = machine.data as Caught;
    machine.value = error.value;
    if (tracking) machine.path = nowhere;
    handler(machine);
  });
}

/** `a // b`: the results of `a` that are true; if there are none, those of `b`. */
function otherwise(left: Op, right: Op): Op {
  const done: Op = (machine) => {
    if ((machine.data as { found: boolean }).found) backtrack(machine);
    else right(machine);
  };
  const pass: Op = (machine) => {
    if (!isTrue(machine.value)) {
      backtrack(machine);
      return;
    }
    (machine.data as { found: boolean }).found = true;
    resume(machine);
  };
  return (machine) => {
    const data = { found: false };
    fork(machine, done, data);
    before(machine, pass, data);
    left(machine);
  };
}

/** Ends a filter after some results of another one; a count of 0 gives none. */
export function limited(count: number, op: Op): Op {
  return (machine) => {
    if (count <= 0) {
      backtrack(machine);
      return;
    }
    before(machine, countDown, { left: count, height: machine.forks.length });
    op(machine);
  };
}

const countDown: Op = (machine) => {
  const data = machine.data as { left: number; height: number };
  // With the last result goes what could give more.
  if (--data.left === 0) machine.forks.length = data.height;
  resume(machine);
};

/** Leaves out the first results of a filter. */
export function skipping(count: number, op: Op): Op {
  const pass: Op = (machine) => {
    const data = machine.data as { left: number };
    if (data.left > 0) {
      data.left--;
      backtrack(machine);
    } else resume(machine);
  };
  return (machine) => {
    before(machine, pass, { left: count });
    op(machine);
  };
}

/** `error`: its input is the error. */
export const raiseInput: Op = (machine) => raise(machine.value);
