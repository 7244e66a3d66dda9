import type { Person, Plan } from "../catalog/principal.ts";
import { isInstant } from "../catalog/duration.ts";
import { isPerson } from "./person.ts";

/** The version of records that this release writes, and the newest that it reads. */
export const recordVersion = 1;

export const plans = ["free", "pro", "team"] as const satisfies readonly Plan[];

export interface AccountRecord {
  v: typeof recordVersion;
  name: string;
  /** 16 random hex digits, which distinguish this account from others that had or will have its name; see `Owned`. */
  incarnation?: string;
  plan: Plan;
  /** Requests an hour, for team accounts only; if absent, the plan's limit applies. */
  limit?: number;
  disabled: boolean;
  createdAt: string;
}

/**
 * A record that belongs to an account has its name and its incarnation, so that a later account of the same name inherits
 * nothing. Accounts made by releases without incarnations have none, and neither have their records.
 */
export interface Owned {
  account?: string;
  incarnation?: string;
}

export interface KeyRecord extends Owned {
  v: typeof recordVersion;
  /** `key_` and the first 20 hex digits of `hash`. */
  id: string;
  /** SHA-256 of the whole key, in hex. The key itself is not stored. */
  hash: string;
  account: string;
  name?: string;
  /** The first characters of the key, by which its holder recognizes it in a list. */
  start: string;
  createdAt: string;
  expiresAt?: string;
  revokedAt?: string;
  revokeReason?: string;
  rotatedFrom?: string;
  rotatedTo?: string;
}

export const endpointStates = ["active", "paused", "disabled"] as const;
export const disabledReasons = ["gone", "failing"] as const;

/** A URL to which events of an account are sent. */
export interface EndpointRecord extends Owned {
  v: typeof recordVersion;
  /** `we_` and 24 random hex digits. */
  id: string;
  account: string;
  url: string;
  method: "POST" | "PUT";
  /** Event types, or `*` alone. */
  events: string[];
  /** `whsec_…`, or the sealed form `sealed:v1:…`. */
  secret: string;
  /** The secret before a rotation, which also signs until `previousUntil`. */
  previousSecret?: string;
  previousUntil?: string;
  state: (typeof endpointStates)[number];
  /** Set if an answer of the receiver disabled the endpoint. */
  disabledReason?: (typeof disabledReasons)[number];
  disabledAt?: string;
  /** Whether a delivery is retried after an answer of 4xx. */
  retryClientErrors: boolean;
  description?: string;
  createdAt: string;
}

export const inboxSchemes = [
  "none",
  "penknife",
  "github",
  "gitlab",
  "slack",
  "standard-webhooks",
  "stripe",
] as const;

/** An address at which an account receives webhooks. */
export interface InboxRecord extends Owned {
  v: typeof recordVersion;
  /** `in_` and 32 random hex digits; anyone who knows it may send. */
  id: string;
  account: string;
  name?: string;
  scheme: (typeof inboxSchemes)[number];
  /** The secret of the signatures, in clear or sealed; absent if none are verified. */
  secret?: string;
  /** The treatment of a message whose signature is wrong. */
  onInvalid: "refuse" | "record";
  /** Status of the answer to a sender. */
  status: number;
  body?: string;
  delayMs: number;
  createdAt: string;
}

/** A settings session, of one account or of the operator. */
export interface SessionRecord extends Owned {
  v: typeof recordVersion;
  /** `ses_` and the first 20 hex digits of `hash`. */
  id: string;
  /** SHA-256 of the whole token, in hex. The token itself is not stored. */
  hash: string;
  account?: string;
  /** A session of the operator, for all accounts; set if `account` is not. */
  operator?: true;
  /** The person who signed in; absent in a session that began with a code. */
  person?: Person;
  createdAt: string;
  expiresAt: string;
  revokedAt?: string;
}

/** A one-time code for a session. */
export interface LoginRecord extends Omit<SessionRecord, "person" | "revokedAt"> {
  /** `login_` and the first 20 hex digits of `hash`, the hash of the code. */
  id: string;
}

type Check = (value: unknown) => boolean;

// Validated by hand: a server's start would have to evaluate zod.
const account: Record<keyof AccountRecord, Check> = {
  v: isVersion,
  name: matches(/^[a-z0-9][a-z0-9-]{0,62}$/),
  incarnation: optional(matches(/^[0-9a-f]{16}$/)),
  plan: oneOf(plans),
  limit: optional((value) => Number.isSafeInteger(value) && (value as number) >= 1),
  disabled: isBoolean,
  createdAt: isUtc,
};

const key: Record<keyof KeyRecord, Check> = {
  v: isVersion,
  id: matches(/^key_[0-9a-f]{20}$/),
  hash: matches(/^[0-9a-f]{64}$/),
  account: account.name,
  incarnation: account.incarnation,
  name: optional(isText),
  start: isText,
  createdAt: isUtc,
  expiresAt: optional(isUtc),
  revokedAt: optional(isUtc),
  revokeReason: optional(isText),
  rotatedFrom: optional(isText),
  rotatedTo: optional(isText),
};

const endpoint: Record<keyof EndpointRecord, Check> = {
  v: isVersion,
  id: matches(/^we_[0-9a-f]{24}$/),
  account: account.name,
  incarnation: account.incarnation,
  url: matches(/^https?:\/\/[^\s#]{1,2041}$/),
  method: oneOf(["POST", "PUT"]),
  events: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  secret: isText,
  previousSecret: optional(isText),
  previousUntil: optional(isUtc),
  state: oneOf(endpointStates),
  disabledReason: optional(oneOf(disabledReasons)),
  disabledAt: optional(isUtc),
  retryClientErrors: isBoolean,
  description: optional(isText),
  createdAt: isUtc,
};

const inbox: Record<keyof InboxRecord, Check> = {
  v: isVersion,
  id: matches(/^in_[0-9a-f]{32}$/),
  account: account.name,
  incarnation: account.incarnation,
  name: optional(isText),
  scheme: oneOf(inboxSchemes),
  secret: optional(isText),
  onInvalid: oneOf(["refuse", "record"]),
  status: isWithin(200, 599),
  body: optional(isText),
  delayMs: isWithin(0, 30_000),
  createdAt: isUtc,
};

const login: Record<keyof LoginRecord, Check> = {
  v: isVersion,
  id: matches(/^login_[0-9a-f]{20}$/),
  hash: key.hash,
  account: optional(account.name),
  incarnation: account.incarnation,
  operator: optional((value) => value === true),
  createdAt: isUtc,
  expiresAt: isUtc,
};

const session: Record<keyof SessionRecord, Check> = {
  ...login,
  id: matches(/^ses_[0-9a-f]{20}$/),
  person: optional(isPerson),
  revokedAt: optional(isUtc),
};

/** Returns undefined for a value that is not an account of this release. */
export const parseAccount = (raw: unknown): AccountRecord | undefined => parse<AccountRecord>(raw, account);

/** Returns undefined for a value that is not a key of this release. */
export const parseKey = (raw: unknown): KeyRecord | undefined => parse<KeyRecord>(raw, key);

/** Returns undefined for a value that is not an endpoint of this release. */
export const parseEndpoint = (raw: unknown): EndpointRecord | undefined =>
  parse<EndpointRecord>(raw, endpoint);

/**
 * Returns undefined for a value that is not an inbox of this release; an inbox that verifies signatures needs a secret.
 */
export function parseInbox(raw: unknown): InboxRecord | undefined {
  const record = parse<InboxRecord>(raw, inbox);
  return record !== undefined && (record.scheme === "none") === (record.secret === undefined)
    ? record
    : undefined;
}

/** Returns undefined for a value that is not a session of this release. */
export const parseSession = (raw: unknown): SessionRecord | undefined =>
  ofOne(parse<SessionRecord>(raw, session));

/** Returns undefined for a value that is not a one-time code of this release. */
export const parseLogin = (raw: unknown): LoginRecord | undefined => ofOne(parse<LoginRecord>(raw, login));

/** Rejects a session without an owner, which must not be taken for the operator's. */
const ofOne = <T extends LoginRecord>(record: T | undefined): T | undefined =>
  record !== undefined && (record.account === undefined) === (record.operator === true) ? record : undefined;

export function isAccountName(text: string): boolean {
  return account.name(text);
}

/**
 * Rejects unknown fields, so that an older release never drops a field of a newer one. A new field that is optional leaves
 * `v` as it is: older releases refuse the records that have it, and read all others.
 */
function parse<T>(raw: unknown, checks: Record<keyof T, Check>): T | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  if (Object.keys(raw).some((name) => !Object.hasOwn(checks, name))) return undefined;
  const fields = raw as Record<string, unknown>;
  const whole = Object.entries<Check>(checks).every(([name, check]) => check(fields[name]));
  // Copied: the caller of `set` keeps its own object.
  return whole ? ({ ...raw } as T) : undefined;
}

function isVersion(value: unknown): boolean {
  return value === recordVersion;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

function isWithin(min: number, max: number): Check {
  return (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}

function oneOf(values: readonly unknown[]): Check {
  return (value) => values.includes(value);
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
