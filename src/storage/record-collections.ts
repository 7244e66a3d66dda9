import { type CollectionOptions, createCollection } from "./collection.ts";
import { recordKinds } from "./record-kinds.ts";
import type { Store } from "./storage.ts";

/** The options that all kinds of records share. */
export type RecordOptions = Omit<CollectionOptions<unknown>, "kind">;

export type RecordCollections = Pick<
  Store,
  "accounts" | "keys" | "endpoints" | "inboxes" | "sessions" | "logins"
>;

/** Creates the collections of every driver, one per kind of record, each with its own first key segment. */
export const createRecordCollections = (options: RecordOptions): RecordCollections => ({
  accounts: createCollection({ ...options, kind: recordKinds.accounts }),
  keys: createCollection({ ...options, kind: recordKinds.keys }),
  endpoints: createCollection({ ...options, kind: recordKinds.endpoints }),
  inboxes: createCollection({ ...options, kind: recordKinds.inboxes }),
  sessions: createCollection({ ...options, kind: recordKinds.sessions }),
  logins: createCollection({ ...options, kind: recordKinds.logins }),
});
