/**
 * Bounds the look-ups that addresses with too many refusals cause, so that a credential that works passes on a node that does
 * not know it yet, and invented ones with a right checksum cost the store little.
 */
export interface Lookups {
  /** Counts a look-up by the bucket of an address, and reports whether it may be made. */
  take(bucket: string): boolean;
}

/** Look-ups a second of one address, and of all together on this node. */
const maxOfAddress = 100;
const maxOfAll = 1000;

/** @param monotonic Milliseconds of a clock that never goes back. */
export function createLookups(monotonic: () => number): Lookups {
  let second = 0;
  let all = 0;
  const counts = new Map<string, number>();
  return {
    take(bucket) {
      const current = Math.floor(monotonic() / 1000);
      if (current !== second) {
        second = current;
        all = 0;
        counts.clear();
      }
      const count = counts.get(bucket) ?? 0;
      if (all >= maxOfAll || count >= maxOfAddress) return false;
      all += 1;
      counts.set(bucket, count + 1);
      return true;
    },
  };
}
