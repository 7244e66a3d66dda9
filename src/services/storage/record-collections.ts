import { type CollectionOptions, createCollection } from "./collection.ts";
import { parseAccount, parseKey } from "./records.ts";
import type { Store } from "./storage.ts";

/** What is alike for records of every kind. */
export type RecordOptions = Omit<CollectionOptions<unknown>, "base" | "parse" | "idOf">;

/** The kinds of records that every driver keeps, each under its own first segment. */
export function createRecordCollections(options: RecordOptions): Pick<Store, "accounts" | "keys"> {
  return {
    accounts: createCollection({
      ...options,
      base: "accounts",
      parse: parseAccount,
      idOf: ({ name }) => name,
    }),
    keys: createCollection({ ...options, base: "keys", parse: parseKey, idOf: ({ id }) => id.slice(4) }),
  };
}
