/** A pattern as a tree; `test` matches one character. */
export type GlobNode =
  | { kind: "one"; test: (character: string) => boolean }
  /** Matches the empty string, unless a dot at the start of a name follows. */
  | { kind: "visible" }
  | { kind: "sequence" | "choice"; items: GlobNode[] }
  | { kind: "repeat"; item: GlobNode; min: 0 | 1; many: boolean };

type Step =
  | { kind: "one"; test: (character: string) => boolean }
  | { kind: "visible" }
  | { kind: "split"; a: number; b: number }
  | { kind: "jump"; a: number }
  | { kind: "match" };

/**
 * Returns a matcher of whole texts that follows all alternatives at once, character by character (Thompson
 * 1968): its time is linear in text times pattern, where backtracking can take exponential time.
 */
export function createMatcher(node: GlobNode): (text: string) => boolean {
  const steps: Step[] = [];
  emit(node, steps);
  steps.push({ kind: "match" });
  return (text) => simulate(steps, text);
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

function simulate(steps: readonly Step[], text: string): boolean {
  const characters = [...text];
  let now: number[] = [];
  const seen = new Int32Array(steps.length).fill(-1);
  const add = (into: number[], from: number, at: number): void => {
    const open = [from];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen[next] === at) continue;
      seen[next] = at;
      const step = steps[next] as Step;
      if (step.kind === "split") open.push(step.b, step.a);
      else if (step.kind === "jump") open.push(step.a);
      else if (step.kind === "visible") {
        const hidden = characters[at] === "." && (at === 0 || characters[at - 1] === "/");
        if (!hidden) open.push(next + 1);
      } else into.push(next);
    }
  };
  add(now, 0, 0);
  for (const [at, character] of characters.entries()) {
    const then: number[] = [];
    for (const index of now) {
      const step = steps[index] as Step;
      if (step.kind === "one" && step.test(character)) add(then, index + 1, at + 1);
    }
    if (then.length === 0) return false;
    now = then;
  }
  return now.some((index) => steps[index]?.kind === "match");
}
