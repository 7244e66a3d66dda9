import { isInstant, toInstant } from "../../../catalog/duration.ts";
import { parseAccount, parseEndpoint, parseInbox, parseKey } from "../../storage/records.ts";
import type { AccountRecord, EndpointRecord, InboxRecord, KeyRecord } from "../../storage/records.ts";
import type { Count } from "../../storage/storage.ts";
import { fromHourName, metrics, rowId, toHourName } from "../../storage/usage/usage-store.ts";
import type { UsageRow } from "../../storage/usage/usage-store.ts";

/**
 * Everything that a store holds: what is copied, backed up and restored. A new collection needs an entry here and in
 * `parts.ts`. Sessions and their codes have none, nor have their windows: one that was ended must not come back with an
 * older copy, and a new one costs a command.
 */
export interface Values {
  key: KeyRecord;
  /** Its secret as it is kept: sealed, it needs the same storage.encryptionKey. */
  endpoint: EndpointRecord;
  inbox: InboxRecord;
  account: AccountRecord;
  /** A window that is not over. */
  window: Count & { id: string };
  usage: UsageRow & { hour: number };
  /** A line of the audit trail, without its line feed. */
  audit: string;
}

export type KindName = keyof Values;

export interface Kind<T> {
  /** The entry in what a backup holds, undefined for what is none of this release; `position` counts those before it. */
  parse(raw: unknown, position: number): { id: string; value: T } | undefined;
  /** What a backup holds of it. */
  toJson(value: T): unknown;
  /** Whether a copy is as good as the original. */
  same(a: T, b: T): boolean;
}

/** Accounts after what belongs to them: whoever reads a store that is in use finds the account of every key that was found. */
export const kindNames = [
  "key",
  "endpoint",
  "inbox",
  "account",
  "window",
  "usage",
  "audit",
] as const satisfies readonly KindName[];

export const kinds: { [Name in KindName]: Kind<Values[Name]> } = {
  key: {
    parse: (raw) => withId(parseKey(raw), withoutPrefix),
    toJson: asItIs,
    same: sameFields,
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
      if (typeof id !== "string" || !/^[a-z]+:[a-z0-9-]{1,100}$/.test(id)) return undefined;
      if (!Number.isSafeInteger(used) || (used as number) < 1 || Object.keys(rest).length > 0)
        return undefined;
      if (typeof resetAt !== "string" || !isInstant(resetAt)) return undefined;
      return { id, value: { id, used: used as number, resetAt: Date.parse(resetAt) } };
    },
    toJson: ({ id, used, resetAt }) => ({ id, used, resetAt: toInstant(resetAt) }),
    // Redis tells how long is left, and between question and answer a little of that goes by.
    same: (a, b) => a.used === b.used && Math.abs(a.resetAt - b.resetAt) <= 2000,
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
  audit: {
    parse: (raw, position) =>
      typeof raw === "string" && !raw.includes("\n") ? { id: auditId(position), value: raw } : undefined,
    toJson: asItIs,
    same: (a, b) => a === b,
  },
};

/** What ends in the next moment is not worth a copy, and gone before it could be compared. */
export const isLasting = ({ resetAt }: Count, now: number): boolean => resetAt > now + 2000;

/** In order by hour, then by who and what. */
export const usageId = (row: Values["usage"]): string => `${toHourName(row.hour)}/${rowId(row)}`;

/** The place in the trail, so that ids are in the order of the lines. */
export const auditId = (position: number): string => String(position + 1).padStart(12, "0");

function withId<T>(value: T | undefined, idOf: (value: T) => string): { id: string; value: T } | undefined {
  return value === undefined ? undefined : { id: idOf(value), value };
}

/** `key_…`, `we_…` and `in_…` are kept under what follows. */
const withoutPrefix = ({ id }: { id: string }): string => id.slice(id.indexOf("_") + 1);

const fieldsOf = (raw: unknown): Record<string, unknown> =>
  typeof raw === "object" && raw !== null && !Array.isArray(raw) ? (raw as Record<string, unknown>) : {};

function asItIs<T>(value: T): T {
  return value;
}

/** The order of fields is no difference. */
function sameFields<T extends object>(a: T, b: T): boolean {
  const names = Object.keys(a) as (keyof T)[];
  return names.length === Object.keys(b).length && names.every((name) => sameValue(a[name], b[name]));
}

/** Values of records are plain, or lists of such. */
const sameValue = (a: unknown, b: unknown): boolean =>
  a === b || (Array.isArray(a) && JSON.stringify(a) === JSON.stringify(b));
