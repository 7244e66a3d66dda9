import { createStorage } from "unstorage";
import type { AuditLog } from "./audit/audit-log.ts";
import { createCounters } from "./counters.ts";
import { createRecordCollections } from "./record-collections.ts";
import type { Store, StoreOptions } from "./storage.ts";
import type { UsageStore } from "./usage/usage-store.ts";

/** Fifteen minutes of answers from memory while the store is down. */
export const defaultStaleMs = 900_000;

/** Nothing survives: for tests and trials. */
export function openMemoryStore({ now, onError, staleMs = defaultStaleMs }: StoreOptions): Store {
  const storage = createStorage();
  let audit: Promise<AuditLog> | undefined;
  let usage: Promise<UsageStore> | undefined;
  return {
    driver: "memory",
    hadAccounts: false,
    ...createRecordCollections({ storage, now, onError, staleMs }),
    counters: createCounters(now, () => {}),
    audit: () => (audit ??= openAudit()),
    usage: () => (usage ??= import("./usage/memory-usage.ts").then((module) => module.createMemoryUsage())),
    check: async () => {},
    close: () => storage.dispose(),
  };

  async function openAudit(): Promise<AuditLog> {
    const { createAuditLog } = await import("./audit/audit-log.ts");
    const { createMemoryTape } = await import("./audit/memory-tape.ts");
    return createAuditLog({ tape: createMemoryTape(), now, onError });
  }
}
