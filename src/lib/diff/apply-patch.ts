import { DocumentFault } from "../fault.ts";
import type { PatchHunk } from "./parse-patch.ts";

/** Lines compared at most: a hunk is searched for in the whole text. */
const maxCompared = 100_000_000;

export interface ApplyOptions {
  /** Lines of context, at each end of a hunk, that may differ if it is found nowhere else. */
  fuzz: number;
  /** Whether added lines are removed, and removed lines added. */
  reverse: boolean;
  /** Whether runs of white space are equal, and white space at the end of a line is ignored. */
  ignoreWhitespace: boolean;
}

export interface AppliedHunk {
  /** Its number in the patch, from 1. */
  hunk: number;
  applied: boolean;
  /** The line of the old text where it was found, from 1; where it was expected if it was not. */
  line: number;
  /** Lines between that place and where the patch expects it, after what the hunks before it have moved. */
  offset: number;
  fuzz: number;
}

/**
 * Applies hunks to a text, in their order. A hunk that is not where the patch says is searched for, first near that place: the
 * order is that of GNU patch. A rejected hunk changes nothing.
 * @throws DocumentFault if the search is too long.
 */
export function applyHunks(
  text: string,
  hunks: readonly PatchHunk[],
  options: ApplyOptions,
): { result: string; hunks: AppliedHunk[] } {
  const lines = text === "" ? [] : text.split(/(?<=\n)/);
  const identify = createIdentities(options.ignoreWhitespace);
  const ids = lines.map(identify);
  const output: string[] = [];
  const applied: AppliedHunk[] = [];
  const budget = { compared: 0 };
  let taken = 0;
  let moved = 0;
  for (const [at, hunk] of hunks.entries()) {
    const turned = options.reverse ? reverse(hunk) : hunk;
    const old = turned.lines.filter(({ sign }) => sign !== "+").map((line) => identify(line.text));
    // An empty range stands after the line that it names.
    const expected = Math.max(turned.oldStart - (old.length === 0 ? 0 : 1), 0);
    const search: Search = { ids, old, from: taken, guess: expected + moved, first: expected === 0, budget };
    const found = findHunk(search, contextOf(turned), options.fuzz);
    if (found === undefined) {
      applied.push({ hunk: at + 1, applied: false, line: expected + 1, offset: 0, fuzz: 0 });
      continue;
    }
    for (; taken < found.at; taken++) if (taken < lines.length) output.push(lines[taken] as string);
    // The context after the last change is left to the next hunk, which may begin with it.
    const end = turned.lines.findLastIndex(({ sign }) => sign !== " ") + 1;
    for (const { sign, text: line } of turned.lines.slice(0, end)) {
      if (sign === "+") output.push(line);
      // Lines of context are those of the text: they may differ in white space or by fuzz.
      else {
        if (sign === " " && taken < lines.length) output.push(lines[taken] as string);
        taken++;
      }
    }
    const offset = found.at - search.guess;
    applied.push({
      hunk: at + 1,
      applied: true,
      line: Math.min(found.at, lines.length) + 1,
      offset,
      fuzz: found.fuzz,
    });
    moved = found.at - expected;
  }
  for (; taken < lines.length; taken++) output.push(lines[taken] as string);
  return { result: joinLines(output), hunks: applied };
}

const reverse = ({ oldStart, newStart, lines, index }: PatchHunk): PatchHunk => ({
  oldStart: newStart,
  newStart: oldStart,
  index,
  lines: lines.map(({ sign, text }) => ({ sign: sign === "-" ? "+" : sign === "+" ? "-" : sign, text })),
});

/** A line that was the last one and is not any more gets a line end. */
const joinLines = (lines: readonly string[]): string =>
  lines.map((line, at) => (line.endsWith("\n") || at === lines.length - 1 ? line : `${line}\n`)).join("");

/** Returns the same number for equal lines. */
function createIdentities(ignoreWhitespace: boolean): (line: string) => number {
  const known = new Map<string, number>();
  return (line) => {
    const key = ignoreWhitespace ? line.trimEnd().replaceAll(/\s+/g, " ") : line;
    const id = known.get(key) ?? known.size;
    known.set(key, id);
    return id;
  };
}

interface Search {
  /** The text. */
  ids: readonly number[];
  /** The lines of the hunk that the text must have. */
  old: readonly number[];
  /** The first line that no earlier hunk has taken. */
  from: number;
  guess: number;
  /** Whether the patch expects the hunk at the beginning of the text. */
  first: boolean;
  budget: { compared: number };
}

interface Context {
  before: number;
  after: number;
}

/** Counts the lines of context at both ends of a hunk. */
function contextOf({ lines }: PatchHunk): Context {
  const before = lines.findIndex(({ sign }) => sign !== " ");
  const after = lines.length - 1 - lines.findLastIndex(({ sign }) => sign !== " ");
  return before === -1 ? { before: lines.length, after: 0 } : { before, after };
}

function findHunk(search: Search, context: Context, fuzz: number): { at: number; fuzz: number } | undefined {
  const { old, guess, from } = search;
  // Without lines to compare the place is taken as it is; beyond the end, after hunks that have moved, it is the end.
  if (old.length === 0) return guess >= from ? { at: guess, fuzz: 0 } : undefined;
  const most = Math.min(fuzz, Math.max(context.before, context.after));
  for (let tried = 0; tried <= most; tried++) {
    const at = findWithFuzz(search, context, tried);
    if (at !== undefined) return { at, fuzz: tried };
  }
  return undefined;
}

/** Less context at one end than at the other means that the hunk is at the beginning or at the end of the text. */
function findWithFuzz(search: Search, { before, after }: Context, fuzz: number): number | undefined {
  const { ids, old, from, guess, first } = search;
  const most = Math.max(before, after);
  const [head, tail] = [fuzz + before - most, fuzz + after - most];
  const end = ids.length - old.length;
  if (head < 0 && first) {
    if (from > 0 || (tail < 0 && end !== 0)) return undefined;
    return matches(search, 0, 0, Math.max(tail, 0)) ? 0 : undefined;
  }
  const skipped = Math.max(head, 0);
  if (tail < 0) return end >= from && matches(search, end, skipped, 0) ? end : undefined;
  const last = end + tail;
  const furthest = Math.max(last - guess, guess - from);
  for (let distance = 0; distance <= furthest; distance++) {
    for (const at of distance === 0 ? [guess] : [guess + distance, guess - distance])
      if (at >= from && at <= last && matches(search, at, skipped, tail)) return at;
  }
  return undefined;
}

/** Compares the hunk with the text at a line, without some lines at both ends of the hunk. */
function matches({ ids, old, budget }: Search, at: number, head: number, tail: number): boolean {
  for (let index = head; index < old.length - tail; index++) {
    if (++budget.compared > maxCompared)
      throw new DocumentFault(
        `Finding the hunks takes more than ${maxCompared} comparisons of lines; apply the patch in parts.`,
        {},
        "too-long",
        maxCompared,
      );
    if (ids[at + index] !== old[index]) return false;
  }
  return true;
}
