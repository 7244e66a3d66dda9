import { toInstant } from "../catalog/duration.ts";
import { personOwner } from "./person.ts";
import {
  type AccountRecord,
  type EndpointRecord,
  type InboxRecord,
  type KeyRecord,
  type LoginRecord,
  parseAccount,
  parseEndpoint,
  parseInbox,
  parseKey,
  parseLogin,
  parseSession,
  type SessionRecord,
} from "./records.ts";

/** Describes the records of a collection. */
export interface RecordKind<T> {
  /** The first segment of every key, and the name of the list of all records: `accounts` or `keys`. */
  base: string;
  /** Returns undefined for a value that is not a record. */
  parse(raw: unknown): T | undefined;
  /** Returns the id under which the record must be stored. */
  idOf(record: T): string;
  /** Returns whose lists contain the record: its account, `operatorOwner`, a person. */
  ownersOf(record: T): readonly string[];
  /** Returns the instant at which a periodic task has to act on the record (RFC 3339). */
  endOf?(record: T): string | undefined;
  /** Returns what a replacement of this record must keep: that a key was revoked. */
  markOf?(record: T): string | undefined;
  /** Returns the replacement of a record that is written without regard to it, with what must never go back. */
  keep?(found: T, value: T): T;
}

/** An entry of a list of records; lists are ordered by the code units of their entries. */
export interface Place {
  list: string;
  entry: string;
}

/** The owner of the operator's sessions and codes; not the name of an account. */
export const operatorOwner = "*";

/**
 * The list of an owner's records. Redis Cluster stores by what stands in braces, so what an account has lies on one
 * server.
 */
export const listOfOwner = (base: string, owner: string): string => `${base}:{${owner}}`;

/** The list of the records that have an end, by that end. */
export const listOfEnds = (base: string): string => `${base}:ends`;

/** The first entry at an instant in a list of ends, and the beginning of all of them. */
export const endEntry = (end: number): string => `${toInstant(end)}/`;

/** Returns the places of a stored value, all of them if it is a valid record; one that is not is listed by its id. */
export function placesOf<T>(kind: RecordKind<T>, id: string, raw: unknown): Place[] {
  const { base, parse, idOf, ownersOf, endOf } = kind;
  const record = parse(raw);
  const whole = { list: base, entry: id };
  if (record === undefined || idOf(record) !== id) return [whole];
  const owned = ownersOf(record).map((owner) => ({ list: listOfOwner(base, owner), entry: id }));
  const end = endOf?.(record);
  if (end === undefined) return [whole, ...owned];
  return [whole, ...owned, { list: listOfEnds(base), entry: endEntry(Date.parse(end)) + id }];
}

/** The one shape of an id: valid unchanged as a file name, in a Redis key and in unstorage. */
export const idPattern = "[a-z0-9][a-z0-9-]{0,62}";

const idForm = new RegExp(`^${idPattern}$`);

export const isId = (text: string): boolean => idForm.test(text);

/** Returns the id of the record at a place. */
export const idAt = (entry: string): string => entry.slice(entry.lastIndexOf("/") + 1);

/** Records are stored under their id without its prefix (`key_`, `we_`, …). */
const withoutPrefix = ({ id }: { id: string }): string => id.slice(id.indexOf("_") + 1);

const accountOf = ({ account }: { account: string }): string[] => [account];

/** A revocation is for good: a copy from before it does not undo it. */
function keepRevoked<T extends { revokedAt?: string; revokeReason?: string }>(found: T, value: T): T {
  const { revokedAt, revokeReason } = found;
  if (revokedAt === undefined || value.revokedAt !== undefined) return value;
  return { ...value, revokedAt, ...(revokeReason !== undefined && { revokeReason }) };
}

interface RecordKinds {
  accounts: RecordKind<AccountRecord>;
  keys: RecordKind<KeyRecord>;
  endpoints: RecordKind<EndpointRecord>;
  inboxes: RecordKind<InboxRecord>;
  sessions: RecordKind<SessionRecord>;
  logins: RecordKind<LoginRecord>;
}

export type KindName = keyof RecordKinds;

/** Every kind of record, in the order in which folders are made. */
export const recordKinds: RecordKinds = {
  accounts: {
    base: "accounts",
    parse: parseAccount,
    idOf: ({ name }) => name,
    ownersOf: () => [],
  },
  keys: {
    base: "keys",
    parse: parseKey,
    idOf: withoutPrefix,
    ownersOf: accountOf,
    // The end of a key that was revoked or replaced is not announced.
    endOf: ({ expiresAt, revokedAt, rotatedTo }) =>
      revokedAt === undefined && rotatedTo === undefined ? expiresAt : undefined,
    markOf: ({ revokedAt, revokeReason }) => revokedAt && JSON.stringify({ revokedAt, revokeReason }),
    keep: keepRevoked,
  },
  endpoints: {
    base: "endpoints",
    parse: parseEndpoint,
    idOf: withoutPrefix,
    ownersOf: accountOf,
  },
  inboxes: {
    base: "inboxes",
    parse: parseInbox,
    idOf: withoutPrefix,
    ownersOf: accountOf,
  },
  sessions: {
    base: "sessions",
    parse: parseSession,
    idOf: withoutPrefix,
    ownersOf: ({ account = operatorOwner, person }) =>
      person === undefined ? [account] : [account, personOwner(person)],
    endOf: ({ expiresAt }) => expiresAt,
    keep: keepRevoked,
  },
  logins: {
    base: "logins",
    parse: parseLogin,
    idOf: withoutPrefix,
    ownersOf: ({ account = operatorOwner }) => [account],
    endOf: ({ expiresAt }) => expiresAt,
  },
};
