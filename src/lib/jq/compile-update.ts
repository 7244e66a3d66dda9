import type { Compiler } from "./compile.ts";
import { combination } from "./in-place.ts";
import type { Owned } from "./index.ts";
import { backtrack, before, fork, nowhere, type Op, requirePath, resume, root, toKeys } from "./machine.ts";
import { deletePaths, getPath, setPath } from "./paths.ts";
import type { Scope } from "./scope.ts";
import { raise, shorten } from "./fault.ts";
import type { Filter } from "./syntax.ts";
import type { JqArray, JqValue } from "./value.ts";

interface State {
  value: JqValue;
  owned: Owned;
  operand: JqValue;
  /** Paths whose update had no result: they are deleted at the end. */
  gone: JqArray[];
}

/** Compiles an assignment to any number of places. */
export function compileUpdate(
  compiler: Compiler,
  filter: Extract<Filter, { kind: "update" }>,
  scope: Scope,
  tracking: boolean,
): Op {
  const { operator } = filter;
  const target = compiler.op(filter.target, scope, true);
  const done: Op = (machine) => {
    const state = machine.data as State;
    // In jq, all but `=` take their result out of a list, which is no part of any input.
    if (tracking && operator !== "=")
      raise(
        `Invalid path expression near attempt to access element 0 of ${shorten([state.value, state.gone])}`,
      );
    machine.value =
      state.gone.length === 0 ? state.value : deletePaths(state.value, state.gone, machine.meter);
    resume(machine);
  };
  const start = (step: Op): Op => {
    return (machine) => {
      const operand = machine.data as JqValue;
      const state: State = { value: machine.value, owned: new Set(), operand, gone: [] };
      fork(machine, done, state);
      before(machine, step, state);
      machine.path = root;
      target(machine);
    };
  };
  if (operator === "|=") {
    const begin = start(modify(compiler.op(filter.value, scope, tracking)));
    return (machine) => {
      machine.data = null;
      begin(machine);
    };
  }
  const combine = combination(operator.slice(0, -1));
  const begin = start((machine) => {
    const state = machine.data as State;
    const path = pathOf(machine);
    const old = operator === "=" ? null : getPath(state.value, path);
    state.value = setPath(
      state.value,
      path,
      combine(old, state.operand, machine.meter),
      machine.meter,
      state.owned,
    );
    // Two places may hold what was assigned.
    if (typeof state.operand === "object") state.owned.clear();
    machine.meter.steps(1);
    backtrack(machine);
  });
  return compiler.product([filter.value], scope, (machine, [operand]) => {
    machine.data = operand;
    begin(machine);
  });
}

function pathOf(machine: Parameters<Op>[0]): JqArray {
  requirePath(machine, () => ` with result ${shorten(machine.value)}`);
  return toKeys(machine.path);
}

interface Change {
  state: State;
  path: JqArray;
  height: number;
}

/** `target |= update`: the first result of the update replaces a value; without one the value goes. */
function modify(update: Op): Op {
  const store: Op = (machine) => {
    const { state, path, height } = machine.data as Change;
    // Further results of the update do not count.
    machine.forks.length = height;
    const containers = new Set<JqValue>();
    if (typeof machine.value === "object") {
      // The result may hold what was made before, but not the containers around its place.
      let container: JqValue = state.value;
      for (let at = 0; state.owned.has(container); at++) {
        containers.add(container);
        if (at >= path.length - 1) break;
        container = getPath(container, [path[at] as JqValue]);
      }
      state.owned = containers;
    }
    state.value = setPath(state.value, path, machine.value, machine.meter, state.owned);
    backtrack(machine);
  };
  const missing: Op = (machine) => {
    const { state, path } = machine.data as Change;
    state.gone.push(path);
    backtrack(machine);
  };
  return (machine) => {
    const state = machine.data as State;
    const path = pathOf(machine);
    const change: Change = { state, path, height: machine.forks.length };
    fork(machine, missing, change);
    before(machine, store, change);
    machine.value = getPath(state.value, path);
    machine.path = nowhere;
    update(machine);
  };
}
