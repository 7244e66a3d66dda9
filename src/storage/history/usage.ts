import { toStoreError } from "../errors.ts";
import { hourMs, metrics, noCounts, type UsageRow, type UsageStore } from "../usage/usage-store.ts";
import type { Damage } from "./calls.ts";
import type { HistoryPlace } from "./place.ts";
import type { UsagePage, UsageText } from "./usage-rows.ts";

/** Usage in the history of a folder. `kill -9` loses none of it, a power failure what the kernel had not written. */
export function createHistoryUsage({ file, call, report, requireRoom }: HistoryPlace): UsageStore {
  return {
    async add(batch) {
      try {
        requireRoom();
        report((await call({ act: "addUsage", batch })) as Damage);
      } catch (error) {
        throw toStoreError("write", file, error);
      }
    },
    async *read(from, until, account) {
      let page: UsagePage | undefined;
      do {
        try {
          page = (await call({ act: "usage", from, until, account, after: page?.next })) as UsagePage;
        } catch (error) {
          throw toStoreError("read", file, error);
        }
        report(page);
        // Not `yield*`, which costs three times as much in an asynchronous generator.
        for (const text of page.rows) for (const row of toRows(text)) yield row;
      } while (page.next !== undefined);
    },
  };
}

function* toRows([hour, account, key, text]: UsageText): Iterable<UsageRow & { hour: number }> {
  const at = hour * hourMs;
  for (const [tool, sums] of Object.entries(JSON.parse(text) as Record<string, number[]>)) {
    const row = { account, key, tool, ...noCounts(), hour: at };
    for (let index = 0; index < metrics.length; index++)
      row[metrics[index] as (typeof metrics)[number]] = sums[index] ?? 0;
    yield row;
  }
}
