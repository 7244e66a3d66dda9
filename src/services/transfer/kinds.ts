import { isInstant, toInstant } from "../../catalog/duration.ts";
import { isObject } from "../../lib/is-object.ts";
import { parseAccount, parseEndpoint, parseInbox, parseKey } from "../../storage/records.ts";
import type { AccountRecord, EndpointRecord, InboxRecord, KeyRecord } from "../../storage/records.ts";
import type { Count } from "../../storage/storage.ts";
import { isCounterId } from "../../storage/journal/lines.ts";
import { minuteMs } from "../../storage/key-uses.ts";
import { fromHourName, metrics, rowId, toHourName } from "../../storage/usage/usage-store.ts";
import type { UsageRow } from "../../storage/usage/usage-store.ts";

/**
 * Everything in a store that is copied, backed up and restored. A new collection needs an entry here and in `parts.ts`.
 * Sessions, codes and their windows are left out: a revoked session must not return with an older copy, and a new one
 * costs one command.
 */
export interface Values {
  key: KeyRecord;
  /** Contains its secret as stored; a sealed one needs the same storage.encryptionKey. */
  endpoint: EndpointRecord;
  inbox: InboxRecord;
  account: AccountRecord;
  /** A window that has not ended. */
  window: Count & { id: string };
  usage: UsageRow & { hour: number };
  /** The last use of a key, in epoch milliseconds. */
  use: { id: string; at: number };
  /** A line of the audit trail, without its line feed. */
  audit: string;
}

export type KindName = keyof Values;

export interface Kind<T> {
  /**
   * Parses an entry of a backup; undefined for one unknown to this release. `position` is the number of entries before
   * it.
   */
  parse(raw: unknown, position: number): { id: string; value: T } | undefined;
  /** Converts an entry for a backup. */
  toJson(value: T): unknown;
  /** Reports whether a copy equals the original. */
  same(a: T, b: T): boolean;
}

/**
 * Accounts come after the records that belong to them, so that a reader of a live store finds the account of every key.
 */
export const kindNames = [
  "key",
  "endpoint",
  "inbox",
  "account",
  "window",
  "usage",
  "use",
  "audit",
] as const satisfies readonly KindName[];

export const kinds: { [Name in KindName]: Kind<Values[Name]> } = {
  key: {
    parse: (raw) => withId(parseKey(raw), withoutPrefix),
    toJson: asItIs,
    // A store keeps its own revocations.
    same: (a, b) => sameFields(a.revokedAt === undefined ? withRevocationOf(b, a) : a, b),
  },
  endpoint: {
    parse: (raw) => withId(parseEndpoint(raw), withoutPrefix),
    toJson: asItIs,
    same: sameFields,
  },
  inbox: {
    parse: (raw) => withId(parseInbox(raw), withoutPrefix),
    toJson: asItIs,
    same: sameFields,
  },
  account: {
    parse: (raw) => withId(parseAccount(raw), ({ name }) => name),
    toJson: asItIs,
    same: sameFields,
  },
  window: {
    parse(raw) {
      const { id, used, resetAt, ...rest } = fieldsOf(raw);
      if (typeof id !== "string" || !isCounterId(id)) return undefined;
      if (!Number.isSafeInteger(used) || (used as number) < 1 || Object.keys(rest).length > 0)
        return undefined;
      if (typeof resetAt !== "string" || !isInstant(resetAt)) return undefined;
      return { id, value: { id, used: used as number, resetAt: Date.parse(resetAt) } };
    },
    toJson: ({ id, used, resetAt }) => ({ id, used, resetAt: toInstant(resetAt) }),
    // Redis returns the remaining time, which passes until a busy process reads the answer.
    same: (a, b) => a.used === b.used && Math.abs(a.resetAt - b.resetAt) <= 10_000,
  },
  usage: {
    parse(raw) {
      const { hour, account, key, tool, ...counts } = fieldsOf(raw);
      const at = typeof hour === "string" ? fromHourName(hour) : Number.NaN;
      const names = [account, key, tool];
      if (Number.isNaN(at) || !names.every((name) => typeof name === "string")) return undefined;
      const whole = metrics.every((metric) => Number.isSafeInteger(counts[metric]));
      if (!whole || Object.keys(counts).length !== metrics.length) return undefined;
      const value = { hour: at, account, key, tool, ...counts } as Values["usage"];
      return { id: usageId(value), value };
    },
    toJson: ({ hour, ...row }) => ({ hour: toHourName(hour), ...row }),
    same: (a, b) => metrics.every((metric) => a[metric] === b[metric]),
  },
  use: {
    parse(raw) {
      const { id, at, ...rest } = fieldsOf(raw);
      if (typeof id !== "string" || !isKeyId(id) || Object.keys(rest).length > 0) return undefined;
      if (typeof at !== "string" || !isInstant(at) || Date.parse(at) % minuteMs !== 0) return undefined;
      return { id, value: { id, at: Date.parse(at) } };
    },
    toJson: ({ id, at }) => ({ id, at: toInstant(at) }),
    // The newest wins, so the target may be ahead.
    same: (a, b) => b.at >= a.at,
  },
  audit: {
    parse: (raw, position) =>
      typeof raw === "string" && !raw.includes("\n") ? { id: auditId(position), value: raw } : undefined,
    toJson: asItIs,
    same: (a, b) => a === b,
  },
};

/** Windows that end within this time are not copied: they would be gone before they could be compared. */
export const isLasting = ({ resetAt }: Count, now: number): boolean => resetAt > now + 2000;

/** Sorted by hour, then by account, key and tool. */
export const usageId = (row: Values["usage"]): string => `${toHourName(row.hour)}/${rowId(row)}`;

/** The position in the trail, so that ids sort in the order of lines. */
export const auditId = (position: number): string => String(position + 1).padStart(12, "0");

function withId<T>(value: T | undefined, idOf: (value: T) => string): { id: string; value: T } | undefined {
  return value === undefined ? undefined : { id: idOf(value), value };
}

/** `key_…`, `we_…` and `in_…` are stored under the part after the prefix. */
const withoutPrefix = ({ id }: { id: string }): string => id.slice(id.indexOf("_") + 1);

function withRevocationOf({ revokedAt, revokeReason }: KeyRecord, key: KeyRecord): KeyRecord {
  if (revokedAt === undefined) return key;
  return { ...key, revokedAt, ...(revokeReason !== undefined && { revokeReason }) };
}

const isKeyId = (text: string): boolean => /^key_[0-9a-f]{20}$/.test(text);

const fieldsOf = (raw: unknown): Record<string, unknown> => (isObject(raw) ? raw : {});

function asItIs<T>(value: T): T {
  return value;
}

/** The order of fields does not matter. */
function sameFields<T extends object>(a: T, b: T): boolean {
  const names = Object.keys(a) as (keyof T)[];
  return names.length === Object.keys(b).length && names.every((name) => sameValue(a[name], b[name]));
}

/** Values of records are scalars or lists of scalars. */
const sameValue = (a: unknown, b: unknown): boolean =>
  a === b || (Array.isArray(a) && JSON.stringify(a) === JSON.stringify(b));
