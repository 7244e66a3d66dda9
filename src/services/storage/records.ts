import type { Plan } from "../../catalog/principal.ts";
import { isInstant } from "../duration.ts";

/** The newest version of a record that this release reads and the one that it writes. */
export const recordVersion = 1;

export const plans = ["free", "pro", "team"] as const satisfies readonly Plan[];

export interface AccountRecord {
  v: typeof recordVersion;
  name: string;
  plan: Plan;
  /** Requests an hour; team only, the plan's own where it is absent. */
  limit?: number;
  disabled: boolean;
  createdAt: string;
}

export interface KeyRecord {
  v: typeof recordVersion;
  /** `key_` and the first 20 hex digits of `hash`. */
  id: string;
  /** SHA-256 of the whole key, hex. The key itself is nowhere. */
  hash: string;
  account: string;
  name?: string;
  /** The first characters of the key, by which its holder knows it in a list. */
  start: string;
  createdAt: string;
  expiresAt?: string;
  revokedAt?: string;
  revokeReason?: string;
  rotatedFrom?: string;
  rotatedTo?: string;
}

type Check = (value: unknown) => boolean;

// By hand and not by zod, whose evaluation every start of a server would wait for.
const account: Record<keyof AccountRecord, Check> = {
  v: isVersion,
  name: matches(/^[a-z0-9][a-z0-9-]{0,62}$/),
  plan: (value) => (plans as readonly unknown[]).includes(value),
  limit: optional((value) => Number.isSafeInteger(value) && (value as number) >= 1),
  disabled: (value) => typeof value === "boolean",
  createdAt: isUtc,
};

const key: Record<keyof KeyRecord, Check> = {
  v: isVersion,
  id: matches(/^key_[0-9a-f]{20}$/),
  hash: matches(/^[0-9a-f]{64}$/),
  account: account.name,
  name: optional(isText),
  start: isText,
  createdAt: isUtc,
  expiresAt: optional(isUtc),
  revokedAt: optional(isUtc),
  revokeReason: optional(isText),
  rotatedFrom: optional(isText),
  rotatedTo: optional(isText),
};

/** Undefined for what is no account of this release. */
export const parseAccount = (raw: unknown): AccountRecord | undefined => parse<AccountRecord>(raw, account);

/** Undefined for what is no key of this release. */
export const parseKey = (raw: unknown): KeyRecord | undefined => parse<KeyRecord>(raw, key);

export function isAccountName(text: string): boolean {
  return account.name(text);
}

/** Strict, so that a field of a later release is never dropped by an older one: new fields mean a new `v`. */
function parse<T>(raw: unknown, checks: Record<keyof T, Check>): T | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  if (Object.keys(raw).some((name) => !Object.hasOwn(checks, name))) return undefined;
  const fields = raw as Record<string, unknown>;
  const whole = Object.entries<Check>(checks).every(([name, check]) => check(fields[name]));
  // A copy: the caller of `set` keeps its own.
  return whole ? ({ ...raw } as T) : undefined;
}

function isVersion(value: unknown): boolean {
  return value === recordVersion;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isUtc(value: unknown): boolean {
  return typeof value === "string" && value.endsWith("Z") && isInstant(value);
}

function matches(pattern: RegExp): Check {
  return (value) => typeof value === "string" && pattern.test(value);
}

function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}
