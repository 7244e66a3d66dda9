import { longestRising } from "./align.ts";

/** One move of an item; both indexes are those of JSON Patch (RFC 6902, section 4.4): `to` counts the list without the item. */
export interface Move {
  /** Index of the item in the list before all moves. */
  item: number;
  from: number;
  to: number;
}

/**
 * Returns the fewest moves that sort a list of distinct numbers, in order; O(n log n). Items of a longest rising run stay. Each other item
 * goes behind the item with the next smaller number, in ascending order, so that it ends in the group behind one of those that stay.
 */
export function findMoves(targets: readonly number[]): Move[] {
  const stays = new Set(
    longestRising(targets.map((target, item): [number, number] => [item, target])).map(([item]) => item),
  );
  const sizes = createSums(targets.length + 1);
  const ascending = [...targets.keys()].toSorted((a, b) => (targets[a] as number) - (targets[b] as number));
  const moves: Move[] = [];
  // Group 0 is the start of the list, group n + 1 begins with item n.
  for (const item of targets.keys()) sizes.add(item + 1, 1);
  let group = 0;
  for (const item of ascending) {
    if (stays.has(item)) {
      group = item + 1;
      continue;
    }
    const from = sizes.before(item + 1);
    sizes.add(item + 1, -1);
    moves.push({ item, from, to: sizes.before(group + 1) });
    sizes.add(group, 1);
  }
  return moves;
}

/** Sums of the first numbers of a list that changes (Fenwick, "A new data structure for cumulative frequency tables"). */
function createSums(length: number): { add(index: number, by: number): void; before(index: number): number } {
  const tree = new Int32Array(length + 1);
  return {
    add(index, by) {
      for (let at = index + 1; at <= length; at += at & -at) tree[at] = (tree[at] as number) + by;
    },
    before(index) {
      let sum = 0;
      for (let at = index; at > 0; at -= at & -at) sum += tree[at] as number;
      return sum;
    },
  };
}
