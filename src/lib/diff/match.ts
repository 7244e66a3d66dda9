import { load } from "../load.ts";
import { findAnchors } from "./anchors.ts";

/** Pairs of common elements of two sequences: `a[olds[n]]` is `b[news[n]]`, both lists ascending. */
export interface Matches {
  olds: number[];
  news: number[];
}

/** Returns the common elements of two sequences of numbers. */
export type Matcher = (a: readonly number[], b: readonly number[]) => Matches;

/**
 * Most edits searched for. Myers's algorithm takes time quadratic in the edits, so it only gets what is left
 * after common ends and unmatched elements are removed. Beyond this limit the work is divided at elements
 * that occur once in each, or in the middle: the result is correct, but may not be the shortest.
 */
const maxEdits = 1000;
const maxEditsOfPart = 50;
const smallPart = 128;

export async function loadMatcher(): Promise<Matcher> {
  const { diffArrays } = await load("diff");

  /** Returns undefined if there are more edits than `limit`. */
  function matchShortest(a: number[], b: number[], limit: number): Matches | undefined {
    const changes = diffArrays(a, b, { maxEditLength: limit });
    if (changes === undefined) return undefined;
    const found: Matches = { olds: [], news: [] };
    let old = 0;
    let now = 0;
    for (const { added, removed, count } of changes) {
      for (let index = 0; index < count; index++) {
        if (!added && !removed) {
          found.olds.push(old + index);
          found.news.push(now + index);
        }
      }
      if (!added) old += count;
      if (!removed) now += count;
    }
    return found;
  }

  return (a, b) => {
    const found: Matches = { olds: [], news: [] };
    const parts: Part[] = [{ old: 0, now: 0, a, b, limit: maxEdits }];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const inner = takeEnds(part, found);
      if (inner === undefined) continue;
      const { olds, news } = withoutUnmatched(inner.a, inner.b);
      const [one, two] = [olds.map((at) => inner.a[at] as number), news.map((at) => inner.b[at] as number)];
      const limit = one.length + two.length <= smallPart ? smallPart : part.limit;
      const shortest = matchShortest(one, two, limit);
      if (shortest === undefined)
        for (const each of divide({ ...inner, limit: maxEditsOfPart })) parts.push(each);
      else {
        for (const at of shortest.olds) found.olds.push(inner.old + (olds[at] as number));
        for (const at of shortest.news) found.news.push(inner.now + (news[at] as number));
      }
    }
    // Parts finish in any order; both lists ascend together.
    found.olds.sort((x, y) => x - y);
    found.news.sort((x, y) => x - y);
    return found;
  };
}

interface Part {
  /** Start of the part in the whole. */
  old: number;
  now: number;
  a: readonly number[];
  b: readonly number[];
  limit: number;
}

/** Matches the common beginning and end; undefined if nothing is left on one side. */
function takeEnds({ old, now, a, b, limit }: Part, found: Matches): Part | undefined {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let [endA, endB] = [a.length, b.length];
  while (endA > head && endB > head && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  for (let at = 0; at < head; at++) add(found, old + at, now + at);
  for (let at = 0; at < a.length - endA; at++) add(found, old + endA + at, now + endB + at);
  if (endA === head || endB === head) return undefined;
  return { old: old + head, now: now + head, a: a.slice(head, endA), b: b.slice(head, endB), limit };
}

function add(found: Matches, old: number, now: number): void {
  found.olds.push(old);
  found.news.push(now);
}

/**
 * Returns the elements that occur on both sides. Others are in no common sequence, so omitting them loses
 * nothing.
 */
function withoutUnmatched(a: readonly number[], b: readonly number[]): Matches {
  const [inA, inB] = [new Set(a), new Set(b)];
  const indexes = (from: readonly number[], other: Set<number>): number[] =>
    from.flatMap((value, at) => (other.has(value) ? [at] : []));
  return { olds: indexes(a, inB), news: indexes(b, inA) };
}

function divide({ old, now, a, b, limit }: Part): Part[] {
  const anchors = findAnchors(a, b);
  const cuts: [number, number][] =
    anchors.length > 0 ? anchors : [[Math.floor(a.length / 2), Math.floor(b.length / 2)]];
  const parts: Part[] = [];
  let [from, since] = [0, 0];
  for (const [at, to] of [...cuts, [a.length, b.length] as [number, number]]) {
    parts.push({ old: old + from, now: now + since, a: a.slice(from, at), b: b.slice(since, to), limit });
    [from, since] = [at, to];
  }
  return parts;
}
