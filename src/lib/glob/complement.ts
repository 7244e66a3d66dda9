import { DocumentFault } from "../fault.ts";
import { type Automaton, compileGlobs, type GlobNode, type Step } from "./program.ts";

/** Steps looked at to make the automaton of one group, whose size can be exponential in the length of the group. */
const maxVisits = 5_000_000;
/** Moves of the automaton of one group; each becomes up to four steps. */
const maxMoves = 50_000;

/**
 * Returns the automaton of the texts that a pattern does not match: the subset construction (Rabin and Scott 1959) over ranges of
 * characters that no step tells apart, with final and other states exchanged.
 * @param crosses Whether such a text may contain a slash.
 * @param index The place of the pattern, for the error.
 * @throws DocumentFault if the automaton is too large.
 */
export function complement(item: GlobNode, crosses: boolean, index: number): Automaton {
  const { steps, starts } = compileGlobs([item]);
  const alphabet = toAlphabet(steps).filter(({ first }) => crosses || first !== slash);
  let visits = 0;
  let moveCount = 0;
  const count = (): void => {
    if (++visits > maxVisits || moveCount > maxMoves)
      throw new DocumentFault("This !(…) is too complex; use fewer or shorter alternatives.", { index });
  };
  const numbers = new Map<string, number>();
  const sets: number[][] = [];
  const numberOf = (from: Iterable<number>): number => {
    const set = close(steps, from, count);
    const key = set.join();
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, sets.length);
    return sets.push(set) - 1;
  };
  const states: Automaton["states"][number][] = [];
  numberOf(starts);
  for (const set of sets) {
    const moves = new Map<string, { to: number; ranges: Range[] }>();
    for (const range of alphabet) {
      count();
      const character = String.fromCodePoint(range.first);
      const next = set.filter((at) => {
        count();
        const step = steps[at];
        return step?.kind === "one" && step.test(character);
      });
      const to = numberOf(next.map((at) => at + 1));
      const key = `${to} ${range.first === slash}`;
      const ranges = moves.get(key)?.ranges;
      const before = ranges?.at(-1);
      if (ranges === undefined) moves.set(key, { to, ranges: [range] });
      else if (before?.last === range.first - 1)
        ranges.splice(-1, 1, { first: before.first, last: range.last });
      else ranges.push(range);
    }
    moveCount += moves.size;
    const accepts = !set.some((at) => steps[at]?.kind === "match");
    states.push({
      accepts,
      moves: Array.from(moves.values(), ({ to, ranges }) => ({ to, ...toOne(ranges) })),
    });
  }
  return { states };
}

interface Range {
  /** Code points. */
  first: number;
  last: number;
}

const slash = 0x2f;

/** Ranges of all code points; each step accepts all of a range or nothing of it. */
function toAlphabet(steps: readonly Step[]): Range[] {
  const edges = new Set([0, slash, slash + 1]);
  for (const step of steps) if (step.kind === "one") for (const edge of step.edges) edges.add(edge);
  const sorted = [...edges].filter((edge) => edge <= 0x10ffff).toSorted((a, b) => a - b);
  return sorted.map((first, index) => ({ first, last: (sorted[index + 1] ?? 0x110000) - 1 }));
}

/** The steps that test a character or end the pattern, and that some steps lead to, in ascending order. */
function close(steps: readonly Step[], from: Iterable<number>, count: () => void): number[] {
  const open = [...from];
  const seen = new Set<number>();
  const found: number[] = [];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    count();
    const step = steps[at] as Step;
    if (step.kind === "split") open.push(step.a, step.b);
    else if (step.kind === "jump") open.push(step.a);
    // Wildcards in the group match a dot at the start of a name.
    else if (step.kind === "visible") open.push(at + 1);
    else found.push(at);
  }
  return found.toSorted((a, b) => a - b);
}

function toOne(ranges: readonly Range[]): { test: (character: string) => boolean; edges: number[] } {
  const test = (character: string): boolean => {
    const point = character.codePointAt(0) ?? 0;
    let low = 0;
    for (let high = ranges.length; low < high;) {
      const half = (low + high) >> 1;
      if ((ranges[half] as Range).last < point) low = half + 1;
      else high = half;
    }
    const range = ranges[low];
    return range !== undefined && point >= range.first;
  };
  return { test, edges: ranges.flatMap(({ first, last }) => [first, last + 1]) };
}
