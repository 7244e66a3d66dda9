import { createStorage } from "unstorage";
import type { AuditLog } from "./audit/audit-log.ts";
import { createCounters } from "./counters.ts";
import { createLazy } from "./lazy.ts";
import { queueOptionsOf } from "./queue-options.ts";
import { createRecordCollections } from "./record-collections.ts";
import type { Store, StoreOptions } from "./storage.ts";
import type { UsageStore } from "./usage/usage-store.ts";

/** Fifteen minutes of answers from memory while the store is down. */
export const defaultStaleMs = 900_000;

/** Nothing survives: for tests and trials. */
export function openMemoryStore(options: StoreOptions): Store {
  const { now, monotonic = now, onError, staleMs = defaultStaleMs } = options;
  const storage = createStorage();
  let audit: Promise<AuditLog> | undefined;
  let usage: Promise<UsageStore> | undefined;
  const deliveries = createLazy(async () => {
    const { createMemoryQueue } = await import("./deliveries/memory-queue.ts");
    return createMemoryQueue(queueOptionsOf(options));
  });
  const inbox = createLazy(async () => (await import("./inbox/memory-inbox.ts")).createMemoryInbox({ now }));
  return {
    driver: "memory",
    hadAccounts: false,
    ...createRecordCollections({ storage, now: monotonic, onError, staleMs }),
    counters: createCounters(now, () => {}, monotonic),
    audit: () => (audit ??= openAudit()),
    usage: () => (usage ??= import("./usage/memory-usage.ts").then((module) => module.createMemoryUsage())),
    deliveries: deliveries.get,
    inbox: inbox.get,
    check: async () => {},
    async close() {
      await deliveries.close();
      await inbox.close();
      await storage.dispose();
    },
  };

  async function openAudit(): Promise<AuditLog> {
    const { createAuditLog } = await import("./audit/audit-log.ts");
    const { createMemoryTape } = await import("./audit/memory-tape.ts");
    return createAuditLog({ tape: createMemoryTape(), now, onError });
  }
}
