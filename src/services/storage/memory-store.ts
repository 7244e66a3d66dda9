import { createStorage } from "unstorage";
import { createCollection } from "./collection.ts";
import { createCounters } from "./counters.ts";
import { parseAccount, parseKey } from "./records.ts";
import type { Store, StoreOptions } from "./storage.ts";

/** Fifteen minutes of answers from memory while the store is down. */
export const defaultStaleMs = 900_000;

/** Nothing survives: for tests and trials. */
export function openMemoryStore({ now, onError, staleMs = defaultStaleMs }: StoreOptions): Store {
  const storage = createStorage();
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
    check: async () => {},
    close: () => storage.dispose(),
  };
}
