import { setTimeout as sleep } from "node:timers/promises";
import { type Place, placesOf } from "../record-kinds.ts";
import { createAdoption } from "./adopt-deliveries.ts";
import { createUsageAdoption } from "./adopt-usage.ts";
import { createRedisHold } from "./hold.ts";
import type { RelistingOptions } from "./relisting.ts";
import { type FoundRecord, parseText, searchNames } from "./search-names.ts";
import { listName } from "./texts.ts";

const waitMs = 10_000;
/** Others wait this long for the process that makes the lists: enough for a hundred million names. */
const patienceMs = 600_000;
/** Not the name of an account. */
const leaseOfLists = "*lists";
/**
 * A process of an older release may have found the old mark just before it was taken away, and writes its record a moment later. Records
 * that are there when the search begins are found.
 */
const settleMs = 1000;

/**
 * Makes the lists of a store of an older release, and moves its deliveries, from all names in the database: the only search of that kind. Every step
 * may be made twice, so a process that is killed leaves nothing behind that the next one does not complete.
 */
export async function listRecords(options: RelistingOptions): Promise<void> {
  const { client, guard, prefix, marker, name, runtime, onNotice } = options;
  const hold = createRedisHold({ client, guard, prefix, runtime, patienceMs });
  const step = <T>(work: () => Promise<T>): Promise<T> => guard.run("open", waitMs, work);

  async function list(records: readonly FoundRecord[]): Promise<void> {
    const texts = await step(() => Promise.all(records.map(({ key }) => client.get(key))));
    const places = records.flatMap(({ kind, id }, index): Place[] => {
      const text = texts[index];
      return text === null ? [] : placesOf(kind, id, parseText(text));
    });
    await step(() =>
      Promise.all(places.map((place) => client.zadd(listName(prefix, place.list), 0, place.entry))),
    );
  }

  async function complete(mark: string): Promise<void> {
    const since = runtime.monotonic();
    onNotice(
      "warn",
      `The store in Redis (${name}) was written by an older release; the lists of records are being made and its deliveries and usage moved now. Servers and commands of that release cannot add to the store any more: upgrade them. Until then they report that Redis was emptied or has a value of another type; neither is the case.`,
    );
    await sleep(settleMs);
    const { adoptDeliveries, removeRest } = createAdoption({ client, guard, prefix, runtime, step });
    let count = 0;
    let moved = 0;
    for await (const { records, deliveries } of searchNames(client, prefix, step)) {
      await list(records);
      moved += await adoptDeliveries(deliveries);
      count += records.length;
    }
    // Other releases used the names below: what they say has been taken over.
    for await (const { deliveries } of searchNames(client, prefix, step)) await removeRest(deliveries);
    await createUsageAdoption({ client, guard, prefix, runtime, step })();
    await marker.listed(mark);
    const seconds = ((runtime.monotonic() - since) / 1000).toFixed(1);
    onNotice(
      "info",
      `The lists of ${count} records in Redis (${name}) are complete, and ${moved} deliveries moved, after ${seconds} s`,
    );
  }

  await hold(leaseOfLists, async () => {
    // Another process may have made them meanwhile.
    const mark = await marker.unlisted();
    if (mark !== undefined) await complete(mark);
  });
}
