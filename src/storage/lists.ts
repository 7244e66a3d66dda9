import type { Place } from "./record-kinds.ts";

/** A part of a list. */
export interface Range {
  /** Entries after this one; from the first by default. */
  after?: string | undefined;
  /** Entries before this one; to the last by default. */
  until?: string | undefined;
  /** Most entries. */
  limit: number;
}

/** The lists of a store that one process has for itself, in memory: sorted by code units, without duplicates. */
export interface Lists {
  add(place: Place): void;
  remove(place: Place): void;
  entries(list: string, range: Range): string[];
  count(list: string): number;
}

export function createLists(): Lists {
  const lists = new Map<string, string[]>();

  return {
    add({ list, entry }) {
      const entries = lists.get(list);
      if (entries === undefined) return void lists.set(list, [entry]);
      const at = rankOf(entries, entry);
      if (entries[at] !== entry) entries.splice(at, 0, entry);
    },
    remove({ list, entry }) {
      const entries = lists.get(list);
      if (entries === undefined) return;
      const at = rankOf(entries, entry);
      if (entries[at] === entry) entries.splice(at, 1);
      if (entries.length === 0) lists.delete(list);
    },
    entries(list, { after, until, limit }) {
      const entries = lists.get(list) ?? [];
      const from = after === undefined ? 0 : rankOf(entries, after);
      const first = entries[from] === after ? from + 1 : from;
      const end = until === undefined ? entries.length : rankOf(entries, until);
      return entries.slice(first, Math.min(end, first + limit));
    },
    count: (list) => lists.get(list)?.length ?? 0,
  };
}

/** Returns the number of entries before this one. */
function rankOf(entries: readonly string[], entry: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] as string) < entry) low = middle + 1;
    else high = middle;
  }
  return low;
}
