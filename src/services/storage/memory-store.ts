import { createStorage } from "unstorage";
import type { AuditLog } from "./audit/audit-log.ts";
import { createCollection } from "./collection.ts";
import { createCounters } from "./counters.ts";
import { parseAccount, parseKey } from "./records.ts";
import type { Store, StoreOptions } from "./storage.ts";
import type { UsageStore } from "./usage/usage-store.ts";

/** Fifteen minutes of answers from memory while the store is down. */
export const defaultStaleMs = 900_000;

/** Nothing survives: for tests and trials. */
export function openMemoryStore({ now, onError, staleMs = defaultStaleMs }: StoreOptions): Store {
  const storage = createStorage();
  let audit: Promise<AuditLog> | undefined;
  let usage: Promise<UsageStore> | undefined;
  const common = { storage, now, onError, staleMs };
  return {
    driver: "memory",
    hadAccounts: false,
    accounts: createCollection({
      ...common,
      base: "accounts",
      parse: parseAccount,
      idOf: ({ name }) => name,
    }),
    keys: createCollection({ ...common, base: "keys", parse: parseKey, idOf: ({ id }) => id.slice(4) }),
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
