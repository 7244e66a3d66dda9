import { stateOf } from "../access/keys.ts";
import type { KeyRecord } from "../storage/records.ts";
import type { Store } from "../storage/storage.ts";
import type { Publisher } from "./publish.ts";
import { toKeyData } from "./with-events.ts";

const dayMs = 86_400_000;

/** Looks at all keys and tells of those that expire soon, of each once for 7 days and once for 1 day, whoever looks. */
export async function publishExpiringKeys(deps: {
  store: Pick<Store, "keys">;
  publisher: Publisher;
  now(): number;
}): Promise<void> {
  const { store, publisher, now } = deps;
  const { records } = await store.keys.all();
  for (const record of records) {
    const days = noticeOf(record, now());
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

/** Which notice is due; a key that never lived that long has been told when it was issued. */
export function noticeOf(record: KeyRecord, time: number): 7 | 1 | undefined {
  const { createdAt, expiresAt, rotatedTo } = record;
  // An old key in its grace is meant to end.
  if (expiresAt === undefined || rotatedTo !== undefined || stateOf(record, time) !== "live")
    return undefined;
  const left = Date.parse(expiresAt) - time;
  const life = Date.parse(expiresAt) - Date.parse(createdAt);
  for (const days of [1, 7] as const) if (left <= days * dayMs) return life > days * dayMs ? days : undefined;
  return undefined;
}
