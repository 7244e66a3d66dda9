/** A stretch of a line; one that the other line does not have is marked. */
export interface Stretch {
  text: string;
  isMarked: boolean;
}

/** Longest line, in UTF-16 code units, whose words are compared. */
const maxLine = 2000;
/** Edits after which two lines have little in common. */
const maxEdits = 80;

/** Returns two lines that stand beside each other, with the words marked that only one has; undefined if they have little in common. */
export function markWords(
  before: string,
  after: string,
): { before: Stretch[]; after: Stretch[] } | undefined {
  if (before.length > maxLine || after.length > maxLine) return undefined;
  const [a, b] = [toWords(before), toWords(after)];
  const common = findCommon(a, b);
  if (common === undefined || common.every(([at]) => !/[\p{L}\p{N}]/u.test(a[at] ?? ""))) return undefined;
  return {
    before: toStretches(a, new Set(common.map(([at]) => at))),
    after: toStretches(b, new Set(common.map(([, at]) => at))),
  };
}

const toWords = (line: string): string[] => line.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^]/gu) ?? [];

function toStretches(words: readonly string[], common: ReadonlySet<number>): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, text] of words.entries()) {
    const isMarked = !common.has(index);
    const last = stretches.at(-1);
    if (last?.isMarked === isMarked) last.text += text;
    else stretches.push({ text, isMarked });
  }
  return stretches;
}

/**
 * Returns pairs of indexes of a longest common subsequence (Myers, "An O(ND) Difference Algorithm", 1986); undefined if it takes more
 * than `maxEdits` edits.
 */
function findCommon(a: readonly string[], b: readonly string[]): [number, number][] | undefined {
  /** For each number of edits, the furthest index in `a` by diagonal. */
  const trace: Map<number, number>[] = [];
  let reached = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(maxEdits, a.length + b.length); edits++) {
    const next = new Map(reached);
    trace.push(reached);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown =
        diagonal === -edits || (diagonal !== edits && at(reached, diagonal - 1) < at(reached, diagonal + 1));
      let x = isDown ? at(reached, diagonal + 1) : at(reached, diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return walkBack(trace, a.length, b.length);
    }
    reached = next;
  }
  return undefined;
}

const at = (reached: ReadonlyMap<number, number>, diagonal: number): number => reached.get(diagonal) ?? -1;

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  endA: number,
  endB: number,
): [number, number][] {
  const common: [number, number][] = [];
  let [x, y] = [endA, endB];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reached = trace[edits] as ReadonlyMap<number, number>;
    const diagonal = x - y;
    const isDown =
      diagonal === -edits || (diagonal !== edits && at(reached, diagonal - 1) < at(reached, diagonal + 1));
    const from = isDown ? diagonal + 1 : diagonal - 1;
    const [fromX, fromY] = [at(reached, from), at(reached, from) - from];
    while (x > Math.max(fromX, 0) && y > Math.max(fromY, 0) && x - 1 >= fromX && y - 1 >= fromY) {
      common.push([x - 1, y - 1]);
      x--;
      y--;
    }
    [x, y] = [fromX, fromY];
  }
  return common.toReversed();
}
