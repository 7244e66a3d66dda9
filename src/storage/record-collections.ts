import { type CollectionOptions, createCollection } from "./collection.ts";
import { parseAccount, parseEndpoint, parseInbox, parseKey, parseLogin, parseSession } from "./records.ts";
import type { Store } from "./storage.ts";

/** The options that all kinds of records share. */
export type RecordOptions = Omit<CollectionOptions<unknown>, "base" | "parse" | "idOf" | "markOf" | "keep">;

export type RecordCollections = Pick<
  Store,
  "accounts" | "keys" | "endpoints" | "inboxes" | "sessions" | "logins"
>;

/** Creates the collections of every driver, one per kind of record, each with its own first key segment. */
export function createRecordCollections(options: RecordOptions): RecordCollections {
  return {
    accounts: createCollection({
      ...options,
      base: "accounts",
      parse: parseAccount,
      idOf: ({ name }) => name,
    }),
    keys: createCollection({
      ...options,
      base: "keys",
      parse: parseKey,
      idOf: withoutPrefix,
      markOf: ({ revokedAt, revokeReason }) => revokedAt && JSON.stringify({ revokedAt, revokeReason }),
      keep: keepRevoked,
    }),
    endpoints: createCollection({
      ...options,
      base: "endpoints",
      parse: parseEndpoint,
      idOf: withoutPrefix,
    }),
    inboxes: createCollection({ ...options, base: "inboxes", parse: parseInbox, idOf: withoutPrefix }),
    sessions: createCollection({
      ...options,
      base: "sessions",
      parse: parseSession,
      idOf: withoutPrefix,
      keep: keepRevoked,
    }),
    logins: createCollection({ ...options, base: "logins", parse: parseLogin, idOf: withoutPrefix }),
  };
}

/** Records are stored under their id without its prefix (`key_`, `we_`, …). */
const withoutPrefix = ({ id }: { id: string }): string => id.slice(id.indexOf("_") + 1);

/** A revocation is for good: a copy from before it does not undo it. */
function keepRevoked<T extends { revokedAt?: string; revokeReason?: string }>(found: T, value: T): T {
  const { revokedAt, revokeReason } = found;
  if (revokedAt === undefined || value.revokedAt !== undefined) return value;
  return { ...value, revokedAt, ...(revokeReason !== undefined && { revokeReason }) };
}
