import type { KeyUses, KeyUseStore } from "../key-uses.ts";

/** Uses in the memory of this process, with the changes that a `put` made. */
export function createMemoryKeyUses(begin: KeyUses = { last: new Map() }): KeyUseStore {
  const last = new Map(begin.last);
  let since = begin.since ?? Infinity;
  return {
    async put(uses) {
      for (const [id, at] of uses) {
        if (at > (last.get(id) ?? 0)) last.set(id, at);
        since = Math.min(since, at);
      }
    },
    async remove(ids) {
      for (const id of ids) last.delete(id);
    },
    async read(ids) {
      const found = ids?.flatMap((id): [string, number][] => {
        const at = last.get(id);
        return at === undefined ? [] : [[id, at]];
      });
      return { ...(since < Infinity && { since }), last: new Map(found ?? last) };
    },
  };
}
