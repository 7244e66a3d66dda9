/** Most edits searched for; the time is this times the length. */
const maxEdits = 1000;

/**
 * Returns ascending pairs of indexes of the items that stay: a shortest edit script (Myers, "An O(ND)
 * difference algorithm") if the lists differ little, otherwise the longest increasing run of items that are
 * unique in both.
 */
export function align(a: readonly number[], b: readonly number[]): [number, number][] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const shortest = Math.min(a.length, b.length) - start;
  while (end < shortest && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  const middle =
    left.length === 0 || right.length === 0 ? [] : (shortestEdit(left, right) ?? unique(left, right));
  return [
    ...Array.from({ length: start }, (_, at): [number, number] => [at, at]),
    ...middle.map(([x, y]): [number, number] => [x + start, y + start]),
    ...Array.from({ length: end }, (_, at): [number, number] => [a.length - end + at, b.length - end + at]),
  ];
}

/** Undefined if there are more than `maxEdits`. */
function shortestEdit(a: readonly number[], b: readonly number[]): [number, number][] | undefined {
  const max = Math.min(maxEdits, a.length + b.length);
  const middle = max + 1;
  const furthest = new Int32Array(2 * max + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= max; edits++) {
    trace.push(furthest.slice(middle - edits - 1, middle + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down =
        k === -edits ||
        (k !== edits && (furthest[middle + k - 1] as number) < (furthest[middle + k + 1] as number));
      let x = down ? (furthest[middle + k + 1] as number) : (furthest[middle + k - 1] as number) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      furthest[middle + k] = x;
      if (x >= a.length && y >= b.length) return walkBack(trace, a.length, b.length);
    }
  }
  return undefined;
}

/** `trace[edits]` holds the furthest x of the diagonals -edits-1 to edits+1 before that round. */
function walkBack(trace: readonly Int32Array[], length: number, other: number): [number, number][] {
  const pairs: [number, number][] = [];
  let x = length;
  let y = other;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const before = trace[edits] as Int32Array;
    const at = (k: number): number => before[k + edits + 1] as number;
    const k = x - y;
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const from = edits === 0 ? 0 : down ? at(k + 1) : at(k - 1);
    const startX = edits === 0 ? 0 : down ? from : from + 1;
    while (x > startX) pairs.push([--x, --y]);
    if (edits > 0 && down) y--;
    else if (edits > 0) x--;
  }
  return pairs.toReversed();
}

/** Returns the items that occur once in each list, in the longest order that both share; O(n log n). */
function unique(a: readonly number[], b: readonly number[]): [number, number][] {
  const places = new Map<number, { left: number; right: number }>();
  const count = (items: readonly number[], side: "left" | "right"): void => {
    for (const [index, item] of items.entries()) {
      const place = places.get(item) ?? { left: -1, right: -1 };
      // -2: more than once.
      place[side] = place[side] === -1 ? index : -2;
      places.set(item, place);
    }
  };
  count(a, "left");
  count(b, "right");
  const candidates = [...places.values()]
    .filter(({ left, right }) => left >= 0 && right >= 0)
    .toSorted((one, two) => one.left - two.left);
  return longestRising(candidates.map(({ left, right }): [number, number] => [left, right]));
}

/**
 * Returns the longest run of pairs whose second numbers rise; the first ones ascend. Patience sorting: the tops of the piles ascend, so
 * bisection finds the pile of each pair.
 */
export function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const tops: number[] = [];
  const previous: number[] = [];
  for (const [index, [, right]] of pairs.entries()) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if ((pairs[tops[half] as number] as [number, number])[1] < right) low = half + 1;
      else high = half;
    }
    previous.push(low === 0 ? -1 : (tops[low - 1] as number));
    tops[low] = index;
  }
  const run: [number, number][] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = previous[at] as number)
    run.push(pairs[at] as [number, number]);
  return run.toReversed();
}
