/** Matches one character. */
export interface One {
  kind: "one";
  test: (character: string) => boolean;
  /** Code points at which the answer may change. */
  edges: readonly number[];
}

/** A pattern as a tree. */
export type GlobNode =
  | One
  /** Matches the empty string, unless a dot at the start of a name follows. */
  | { kind: "visible" }
  | { kind: "sequence" | "choice"; items: GlobNode[] }
  | { kind: "repeat"; item: GlobNode; min: 0 | 1; many: boolean }
  /**
   * Matches a text that `item` does not match, and that has a slash only if `crosses`.
   * @param hides Whether no name behind a slash in the text may begin with a dot.
   */
  | { kind: "not"; item: GlobNode; crosses: boolean; hides: boolean; automaton: Automaton };

/** A deterministic automaton; the first state is its start. */
export interface Automaton {
  states: readonly {
    accepts: boolean;
    /** At least one; each range of characters leads to one state. */
    moves: readonly (Omit<One, "kind"> & { to: number })[];
  }[];
}

export type Step =
  | One
  | { kind: "visible" }
  | { kind: "split"; a: number; b: number }
  | { kind: "jump"; a: number }
  /** The end of the pattern with this index. */
  | { kind: "match"; pattern: number };

export interface GlobProgram {
  steps: readonly Step[];
  /** The first step of each pattern. */
  starts: readonly number[];
}

/** Steps that patterns matched together may have; a character is about one, and an alternative of braces repeats it. */
export const maxSteps = 1_000_000;

/** The steps of a pattern, without those that join its alternatives. */
export function countSteps(node: GlobNode): number {
  if (node.kind === "repeat") return 2 + countSteps(node.item);
  if (node.kind === "not")
    return node.automaton.states.reduce((sum, { moves }) => sum + 1 + 4 * moves.length, 0);
  if (node.kind === "sequence" || node.kind === "choice")
    return node.items.reduce((sum, item) => sum + countSteps(item), 1);
  return 1;
}

/** Compiles patterns into one program, the steps of each pattern after those of the one before it (Thompson 1968). */
export function compileGlobs(nodes: readonly GlobNode[]): GlobProgram {
  const steps: Step[] = [];
  const starts = nodes.map((node, pattern) => {
    const start = steps.length;
    emit(node, steps);
    steps.push({ kind: "match", pattern });
    return start;
  });
  return { steps, starts };
}

function emit(node: GlobNode, steps: Step[]): void {
  switch (node.kind) {
    case "one":
    case "visible":
      steps.push(node);
      return;
    case "sequence":
      for (const item of node.items) emit(item, steps);
      return;
    case "choice": {
      const jumps: { kind: "jump"; a: number }[] = [];
      for (const [order, item] of node.items.entries()) {
        const split = { kind: "split" as const, a: steps.length + 1, b: 0 };
        const last = order === node.items.length - 1;
        if (!last) steps.push(split);
        emit(item, steps);
        if (last) continue;
        const jump = { kind: "jump" as const, a: 0 };
        steps.push(jump);
        jumps.push(jump);
        split.b = steps.length;
      }
      for (const jump of jumps) jump.a = steps.length;
      return;
    }
    case "not":
      emitAutomaton(node.automaton, node.hides, steps);
      return;
    case "repeat": {
      const start = steps.length;
      const split = { kind: "split" as const, a: start + 1, b: 0 };
      if (node.min === 0) steps.push(split);
      emit(node.item, steps);
      if (node.min === 1) {
        if (node.many) steps.push({ kind: "split", a: start, b: steps.length + 1 });
        return;
      }
      if (node.many) steps.push({ kind: "jump", a: start });
      split.b = steps.length;
    }
  }
}

function emitAutomaton({ states }: Automaton, hides: boolean, steps: Step[]): void {
  const starts: number[] = [];
  const jumps: { jump: { kind: "jump"; a: number }; to: number }[] = [];
  const exits: { kind: "split"; a: number; b: number }[] = [];
  for (const { accepts, moves } of states) {
    starts.push(steps.length);
    if (accepts) {
      const exit = { kind: "split" as const, a: steps.length + 1, b: 0 };
      steps.push(exit);
      exits.push(exit);
    }
    for (const [order, { to, test, edges }] of moves.entries()) {
      const split = { kind: "split" as const, a: steps.length + 1, b: 0 };
      const last = order === moves.length - 1;
      if (!last) steps.push(split);
      steps.push({ kind: "one", test, edges });
      if (hides && test("/")) steps.push({ kind: "visible" });
      const jump = { kind: "jump" as const, a: 0 };
      steps.push(jump);
      jumps.push({ jump, to });
      split.b = steps.length;
    }
  }
  for (const { jump, to } of jumps) jump.a = starts[to] as number;
  for (const exit of exits) exit.b = steps.length;
}
