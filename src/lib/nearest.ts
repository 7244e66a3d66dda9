/**
 * Returns the candidate nearest to `name`, or undefined if none is within a third of its length (at least two edits, or one
 * for a name of three letters): farther suggestions would be surprising.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  // The distance takes quadratic time; a hostile name may be of any length.
  if (name.length > 64) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = (name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3))) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = distanceOf(wanted, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost 1 each. */
export function distanceOf(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = at(previous, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let cost = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, substitution);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      }
      current.push(cost);
    }
    [beforePrevious, previous] = [previous, current];
  }
  return at(previous, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0;
