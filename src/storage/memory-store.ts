import { createStorage } from "unstorage";
import { lazy } from "../lib/lazy.ts";
import { createCounters } from "./counters.ts";
import { storeClosed } from "./errors.ts";
import { createLocalHold } from "./lease.ts";
import { createLists } from "./lists.ts";
import { defaultStaleMs } from "./record-cache.ts";
import { queueOptionsOf } from "./queue-options.ts";
import { createRecordCollections } from "./record-collections.ts";
import type { Store, StoreOptions } from "./storage.ts";
import { createLocalTexts } from "./texts.ts";

/** Opens a store that keeps nothing after the process ends: for tests and trials. */
export function openMemoryStore(options: StoreOptions): Store {
  const { runtime, onError, staleMs = defaultStaleMs } = options;
  const storage = createStorage();
  const audit = lazy(async () => {
    const { createAuditLog } = await import("./audit/audit-log.ts");
    const { createMemoryAudit } = await import("./audit/memory-audit.ts");
    return createAuditLog({ store: createMemoryAudit(), runtime, onError });
  });
  const usage = lazy(async () => (await import("./usage/memory-usage.ts")).createMemoryUsage());
  const keyUses = lazy(async () => (await import("./usage/memory-key-uses.ts")).createMemoryKeyUses());
  const deliveries = lazy(async () => {
    const { createMemoryQueue } = await import("./deliveries/memory-queue.ts");
    return createMemoryQueue(queueOptionsOf(options));
  });
  const inbox = lazy(async () => (await import("./inbox/memory-inbox.ts")).createMemoryInbox({ runtime }));
  return {
    driver: "memory",
    hadAccounts: false,
    ...createRecordCollections({
      storage,
      texts: createLocalTexts(storage, createLists()),
      runtime,
      onError,
      staleMs,
    }),
    hold: createLocalHold(),
    counters: createCounters(runtime, () => {}, options.ipv6Factor),
    audit,
    usage,
    keyUses,
    deliveries,
    inbox,
    check: async () => {},
    async close() {
      await (await deliveries.end(storeClosed("open")))?.close();
      await (await inbox.end(storeClosed("open")))?.close();
      await storage.dispose();
    },
  };
}
