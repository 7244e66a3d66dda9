import { stateOf } from "../access/key-state.ts";
import type { KeyRecord } from "../../storage/records.ts";
import type { Store } from "../../storage/storage.ts";
import type { Publisher } from "./publish.ts";
import { toKeyData } from "./with-events.ts";
import type { Runtime } from "../../runtime.ts";

const dayMs = 86_400_000;
const firstNoticeDays = 7;

/** Publishes `key.expiring` for keys that expire soon, once 7 days and once 1 day before, whichever node looks. */
export async function publishExpiringKeys(deps: {
  store: Pick<Store, "keys">;
  publisher: Publisher;
  runtime: Runtime;
}): Promise<void> {
  const { store, publisher, runtime } = deps;
  const from = runtime.now();
  for await (const record of store.keys.ending({ from, until: from + firstNoticeDays * dayMs + 1 })) {
    const days = noticeOf(record, runtime.now());
    if (days === undefined) continue;
    await publisher.publish(
      "key.expiring",
      record.account,
      { key: toKeyData(record), days },
      {
        once: { name: `key.expiring:${record.id}:${days}d`, until: Date.parse(record.expiresAt as string) },
      },
    );
  }
}

/** Returns the notice that is due; a key that never lived that long had its expiry announced when it was issued. */
export function noticeOf(record: KeyRecord, time: number): 7 | 1 | undefined {
  const { createdAt, expiresAt, rotatedTo } = record;
  // A rotated key is expected to expire.
  if (expiresAt === undefined || rotatedTo !== undefined || stateOf(record, time) !== "live")
    return undefined;
  const left = Date.parse(expiresAt) - time;
  const life = Date.parse(expiresAt) - Date.parse(createdAt);
  for (const days of [1, 7] as const) if (left <= days * dayMs) return life > days * dayMs ? days : undefined;
  return undefined;
}
