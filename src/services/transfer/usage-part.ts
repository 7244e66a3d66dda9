import type { Store } from "../../storage/storage.ts";
import { addCounts, hourMs, keptMs, metrics, type UsageRow } from "../../storage/usage/usage-store.ts";
import { usageId, type Values } from "./kinds.ts";
import type { Change, Entry, Part } from "./parts.ts";
import type { Runtime } from "../../runtime.ts";

type Row = Values["usage"];

/** Rows in memory beyond which a backup reads an hour at a time, and the most hours that it reads at once. */
const maxRows = 50_000;
const maxHours = 24;

/** Usage can only be added to, so the difference to the target is written. */
export function createUsagePart(options: { store: Store; runtime: Runtime }): Part<Row> {
  const { store, runtime } = options;
  let writer = "";
  let written = 0;

  return {
    conflicts: "overwrite",
    async *entries() {
      const usage = await store.usage();
      const time = Math.floor(runtime.now() / hourMs) * hourMs;
      const until = time + 2 * hourMs;
      let hours = 1;
      for (let from = time - keptMs - hourMs; from < until;) {
        const end = Math.min(until, from + hours * hourMs);
        const found: Map<string, Row> = new Map();
        // Days come in order; what is within a day does not.
        for await (const row of usage.read(from, end)) {
          const known = found.get(usageId(row));
          if (known === undefined) found.set(usageId(row), { ...row });
          else addCounts(known, row);
        }
        yield* sorted(found);
        from = end;
        hours = found.size > maxRows ? 1 : Math.min(2 * hours, maxHours);
      }
    },
    async write(changes) {
      const usage = await store.usage();
      for (const [hour, rows] of Map.groupBy(changes, ({ value }) => value.hour)) {
        writer ||= Buffer.from(runtime.random(12)).toString("hex");
        await usage.add({ id: `${writer}-${(written += 1)}`, hour, rows: rows.map(toDifference) });
      }
    },
  };
}

function* sorted(found: ReadonlyMap<string, Row>): Iterable<Entry<Row>> {
  // A row that was undone leaves a row of zeros.
  const rows = [...found.values()].filter((row) => metrics.some((metric) => row[metric] !== 0));
  const entries = rows.map((value) => ({ id: usageId(value), value }));
  yield* entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function toDifference({ value: { hour: _hour, ...row }, found }: Change<Row>): UsageRow {
  if (found !== undefined) for (const metric of metrics) row[metric] -= found[metric];
  return row;
}
