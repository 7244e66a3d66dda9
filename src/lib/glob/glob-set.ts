import { createCharacterTables, lowestBit } from "./character-tables.ts";
import { compileGlobs, type GlobNode, type GlobProgram } from "./program.ts";

/**
 * Returns a function that returns the indexes of the patterns that match a whole text, in ascending order. It follows all
 * alternatives of all patterns at once, character by character, 32 of them in one word: its time is at most linear in text times
 * patterns, where backtracking can take exponential time. A pattern that can no longer match costs nothing, and neither do the
 * folders that a text has in common with the one before it.
 */
export function createGlobSet(nodes: readonly GlobNode[]): (text: string) => readonly number[] {
  const automaton = createAutomaton(compileGlobs(nodes));
  return (text) => automaton.match(text);
}

/** Returns a matcher of whole texts for one pattern. */
export function createMatcher(node: GlobNode): (text: string) => boolean {
  const matching = createGlobSet([node]);
  return (text) => matching(text).length > 0;
}

/** Positions of the automaton, as bits; `active` lists the words that are not zero. */
interface State {
  bits: Int32Array;
  active: Int32Array;
  count: number;
}

/** The state after the first `length` characters of the last text, which end with a slash. */
interface Snapshot {
  length: number;
  words: Int32Array;
  bits: Int32Array;
}

/** Steps that are followed at most to remember where a position leads; beyond it they are followed each time. */
const rememberedSteps = 64;
function createAutomaton({ steps, starts }: GlobProgram) {
  const positionOf = new Int32Array(steps.length).fill(-1);
  const stepOf: number[] = [];
  for (const [index, { kind }] of steps.entries())
    if (kind === "one" || kind === "match") positionOf[index] = stepOf.push(index) - 1;
  const size = Math.ceil(stepOf.length / 32);
  const characters = createCharacterTables(steps, stepOf);
  const looksAhead = steps.some(({ kind }) => kind === "visible");

  // Most positions lead to themselves and to one or both of the next two, which shifts of a whole word find (Navarro and
  // Raffinot, Flexible Pattern Matching in Strings, 2002, section 4). The masks of a word are made when it is first active.
  const prepared = new Uint8Array(size);
  const [ends, stays, nexts, skips, others] = Array.from({ length: 5 }, () => new Int32Array(size)) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  /** The positions after those in `others`, as words and masks; null if these are too many to remember. */
  const follows = new Map<number, Int32Array | null>();
  const seen = new Int32Array(steps.length);
  let generation = 0;
  let now = createState(size);
  let then = createState(size);
  const snapshots: Snapshot[] = [];
  let last = "";

  /**
   * Calls `reach` with each position that a step leads to. Returns false if it gave up after `most` steps.
   * @param hidden Whether a dot at the start of a name follows.
   */
  function close(from: number, hidden: boolean, reach: (position: number) => void, most = Infinity): boolean {
    const open = [from];
    let visited = 0;
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen[next] === generation) continue;
      if (++visited > most) return false;
      seen[next] = generation;
      const step = steps[next];
      if (step === undefined) continue;
      if (step.kind === "split") open.push(step.b, step.a);
      else if (step.kind === "jump") open.push(step.a);
      else if (step.kind !== "visible") reach(positionOf[next] ?? 0);
      else if (!hidden) open.push(next + 1);
    }
    return true;
  }

  function prepare(word: number): void {
    prepared[word] = 1;
    const first = word * 32;
    for (let position = first; position < Math.min(first + 32, stepOf.length); position++) {
      const bit = 1 << position;
      const step = stepOf[position] as number;
      if (steps[step]?.kind === "match") {
        ends[word] = (ends[word] as number) | bit;
        continue;
      }
      const masks = new Map<number, number>();
      generation += 1;
      const reach = (to: number): void => {
        const inside = to >>> 5 === word && !looksAhead;
        const shifted = inside ? ([stays, nexts, skips] as const)[to - position] : undefined;
        if (shifted === undefined) masks.set(to >>> 5, (masks.get(to >>> 5) ?? 0) | (1 << to));
        else shifted[word] = (shifted[word] as number) | bit;
      };
      const isShort = close(step + 1, false, reach, rememberedSteps);
      if (isShort && masks.size === 0) continue;
      others[word] = (others[word] as number) | bit;
      follows.set(position, isShort ? Int32Array.from([...masks].flat()) : null);
    }
    generation += 1;
  }

  function advance(code: number, hidden: boolean): void {
    const table = characters.tableOf(code);
    const character = table === undefined ? String.fromCodePoint(code) : "";
    const reach = (position: number): void => add(then, position >>> 5, 1 << position);
    generation += 1;
    for (let index = 0; index < now.count; index++) {
      const word = now.active[index] as number;
      const bits = now.bits[word] as number;
      now.bits[word] = 0;
      if (prepared[word] === 0) prepare(word);
      const accepted =
        table === undefined ? characters.accepting(word, bits, character) : bits & (table[word] as number);
      if (accepted === 0) continue;
      const shifted =
        (accepted & (stays[word] as number)) |
        ((accepted & (nexts[word] as number)) << 1) |
        ((accepted & (skips[word] as number)) << 2);
      if (shifted !== 0) add(then, word, shifted);
      for (let rest = accepted & (others[word] as number); rest !== 0; rest &= rest - 1) {
        const position = word * 32 + lowestBit(rest);
        const follow = hidden ? null : follows.get(position);
        if (follow) {
          for (let pair = 0; pair < follow.length; pair += 2)
            add(then, follow[pair] as number, follow[pair + 1] as number);
        } else close((stepOf[position] as number) + 1, hidden, reach);
      }
    }
    now.count = 0;
    [now, then] = [then, now];
  }

  /** Sets the state to that after the longest beginning that the last text had, too; returns the length of it. */
  function begin(text: string): number {
    let common = 0;
    const most = Math.min(last.length, text.length);
    while (common < most && last.charCodeAt(common) === text.charCodeAt(common)) common++;
    last = text;
    while ((snapshots.at(-1)?.length ?? 0) > common) snapshots.pop();
    const snapshot = snapshots.at(-1);
    if (snapshot === undefined) {
      const hidden = looksAhead && text.startsWith(".");
      generation += 1;
      for (const start of starts) close(start, hidden, (position) => add(now, position >>> 5, 1 << position));
      if (!looksAhead) snapshots.push(toSnapshot(now, 0));
      return 0;
    }
    for (const [index, word] of snapshot.words.entries()) add(now, word, snapshot.bits[index] as number);
    return snapshot.length;
  }

  return {
    match(text: string): readonly number[] {
      for (let at = begin(text); at < text.length && now.count > 0;) {
        const code = text.codePointAt(at) as number;
        at += code > 0xffff ? 2 : 1;
        advance(code, looksAhead && code === 0x2f && text[at] === ".");
        // A state that looks ahead depends on what follows.
        if (code === 0x2f && !looksAhead) snapshots.push(toSnapshot(now, at));
      }
      const found: number[] = [];
      for (let index = 0; index < now.count; index++) {
        const word = now.active[index] as number;
        if (prepared[word] === 0) prepare(word);
        for (let rest = (now.bits[word] as number) & (ends[word] as number); rest !== 0; rest &= rest - 1) {
          const step = steps[stepOf[word * 32 + lowestBit(rest)] as number];
          if (step?.kind === "match") found.push(step.pattern);
        }
        now.bits[word] = 0;
      }
      now.count = 0;
      return found.toSorted((a, b) => a - b);
    },
  };
}

const createState = (size: number): State => ({
  bits: new Int32Array(size),
  active: new Int32Array(size),
  count: 0,
});

function add(state: State, word: number, mask: number): void {
  const bits = state.bits[word] as number;
  if (bits === 0) state.active[state.count++] = word;
  state.bits[word] = bits | mask;
}

function toSnapshot({ bits, active, count }: State, length: number): Snapshot {
  const words = active.slice(0, count);
  return { length, words, bits: words.map((word) => bits[word] as number) };
}
