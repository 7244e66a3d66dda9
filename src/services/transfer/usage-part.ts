import type { Store } from "../../storage/storage.ts";
import { addCounts, hourMs, keptMs, metrics, rowId, type UsageRow } from "../../storage/usage/usage-store.ts";
import { usageId, type Values } from "./kinds.ts";
import type { Change, Entry, Part } from "./parts.ts";
import type { Runtime } from "../../runtime.ts";

type Row = Values["usage"];

/** Usage can only be added to, so the difference to the target is written. */
export function createUsagePart(options: { store: Store; runtime: Runtime }): Part<Row> {
  const { store, runtime } = options;

  return {
    conflicts: "overwrite",
    async *entries() {
      const usage = await store.usage();
      const time = runtime.now();
      let hour: Map<string, Row> = new Map();
      // Hours come in order, the rows of an hour as they were written.
      for await (const row of usage.read(time - keptMs - hourMs, time + 2 * hourMs)) {
        const [first] = hour.values();
        if (first !== undefined && first.hour !== row.hour) {
          yield* sorted(hour);
          hour = new Map();
        }
        const known = hour.get(rowId(row));
        if (known === undefined) hour.set(rowId(row), { ...row });
        else addCounts(known, row);
      }
      yield* sorted(hour);
    },
    async write(changes) {
      const usage = await store.usage();
      for (const [hour, rows] of Map.groupBy(changes, ({ value }) => value.hour)) {
        const id = Buffer.from(runtime.random(12)).toString("hex");
        await usage.add({ id, hour, rows: rows.map(toDifference) });
      }
    },
  };
}

function* sorted(hour: ReadonlyMap<string, Row>): Iterable<Entry<Row>> {
  // A row that was undone leaves a row of zeros.
  const rows = [...hour.values()].filter((row) => metrics.some((metric) => row[metric] !== 0));
  const entries = rows.map((value) => ({ id: usageId(value), value }));
  yield* entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function toDifference({ value: { hour: _hour, ...row }, found }: Change<Row>): UsageRow {
  if (found !== undefined) for (const metric of metrics) row[metric] -= found[metric];
  return row;
}
