import { addCounts, hourMs, keptMs, rowId, type UsageRow, type UsageStore } from "./usage-store.ts";

/** Usage that is lost when the process ends. */
export function createMemoryUsage(): UsageStore {
  const hours = new Map<number, Map<string, UsageRow>>();
  let last = "";
  return {
    async add({ id, hour, rows }) {
      if (id === last) return;
      last = id;
      const known = hours.get(hour) ?? new Map<string, UsageRow>();
      hours.set(hour, known);
      for (const row of rows) {
        const found = known.get(rowId(row));
        if (found === undefined) known.set(rowId(row), { ...row });
        else addCounts(found, row);
      }
      for (const old of hours.keys()) if (old < hour + hourMs - keptMs) hours.delete(old);
    },
    async *read(from, until, account) {
      for (const [hour, rows] of [...hours].toSorted(([a], [b]) => a - b)) {
        if (hour < from || hour >= until) continue;
        for (const row of rows.values()) if ((account ?? row.account) === row.account) yield { ...row, hour };
      }
    },
  };
}
