/**
 * Returns the longest increasing run of pairs of elements that occur exactly once in both sequences: the
 * anchors of "patience diff". O(n log n).
 */
export function findAnchors(a: readonly number[], b: readonly number[]): [old: number, now: number][] {
  const [onceA, onceB] = [placesOfUnique(a), placesOfUnique(b)];
  const pairs: [number, number][] = [];
  for (const [value, at] of onceA) {
    const to = onceB.get(value);
    if (to !== undefined) pairs.push([at, to]);
  }
  return longestRising(pairs.toSorted(([x], [y]) => x - y));
}

function placesOfUnique(sequence: readonly number[]): Map<number, number> {
  const places = new Map<number, number>();
  const repeated = new Set<number>();
  for (const [at, value] of sequence.entries()) {
    if (places.has(value)) repeated.add(value);
    else places.set(value, at);
  }
  for (const value of repeated) places.delete(value);
  return places;
}

/**
 * Returns the longest selection of pairs whose second numbers increase (patience sorting). The pairs are in the order of
 * their first numbers.
 */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  /** For each run length, the pair with the smallest end; and the predecessor of each pair. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, [, to]] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number]?.[1] ?? 0) < to) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? (ends[low - 1] as number) : -1);
    ends[low] = index;
  }
  const run: [number, number][] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] as number)
    run.push(pairs[index] as [number, number]);
  return run.toReversed();
}
