import type { Plan } from "../../catalog/principal.ts";
import { isInstant } from "../../catalog/duration.ts";

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

export const endpointStates = ["active", "paused", "disabled"] as const;
export const disabledReasons = ["gone", "failing"] as const;

/** Where events of an account are sent to. */
export interface EndpointRecord {
  v: typeof recordVersion;
  /** `we_` and 24 hex digits of randomness. */
  id: string;
  account: string;
  url: string;
  method: "POST" | "PUT";
  /** Types of events, or `*` alone. */
  events: string[];
  /** `whsec_…`, or that sealed: `sealed:v1:…`. */
  secret: string;
  /** The one before it, which signs beside it until then. */
  previousSecret?: string;
  previousUntil?: string;
  state: (typeof endpointStates)[number];
  /** Of one that was switched off by what its receiver answered. */
  disabledReason?: (typeof disabledReasons)[number];
  disabledAt?: string;
  /** Whether an answer of 4xx is tried again, and not the end of it. */
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

/** Where an account receives what others send it. */
export interface InboxRecord {
  v: typeof recordVersion;
  /** `in_` and 32 hex digits of randomness: who knows it may send. */
  id: string;
  account: string;
  name?: string;
  scheme: (typeof inboxSchemes)[number];
  /** What the signatures are made with, in clear or sealed; absent where none are checked. */
  secret?: string;
  /** What becomes of a message whose signature is wrong. */
  onInvalid: "refuse" | "record";
  /** The answer to a sender. */
  status: number;
  body?: string;
  delayMs: number;
  createdAt: string;
}

/** A settings session, of one account or of the operator. */
export interface SessionRecord {
  v: typeof recordVersion;
  /** `ses_` and the first 20 hex digits of `hash`. */
  id: string;
  /** SHA-256 of the whole token, hex. The token itself is nowhere. */
  hash: string;
  account?: string;
  /** Of all accounts; either this is there or `account`. */
  operator?: true;
  createdAt: string;
  expiresAt: string;
  revokedAt?: string;
}

/** A code that is good for one session. */
export interface LoginRecord extends Omit<SessionRecord, "revokedAt"> {
  /** `login_` and the first 20 hex digits of `hash`, which is that of the code. */
  id: string;
}

type Check = (value: unknown) => boolean;

// By hand and not by zod, whose evaluation every start of a server would wait for.
const account: Record<keyof AccountRecord, Check> = {
  v: isVersion,
  name: matches(/^[a-z0-9][a-z0-9-]{0,62}$/),
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
  operator: optional((value) => value === true),
  createdAt: isUtc,
  expiresAt: isUtc,
};

const session: Record<keyof SessionRecord, Check> = {
  ...login,
  id: matches(/^ses_[0-9a-f]{20}$/),
  revokedAt: optional(isUtc),
};

/** Undefined for what is no account of this release. */
export const parseAccount = (raw: unknown): AccountRecord | undefined => parse<AccountRecord>(raw, account);

/** Undefined for what is no key of this release. */
export const parseKey = (raw: unknown): KeyRecord | undefined => parse<KeyRecord>(raw, key);

/** Undefined for what is no endpoint of this release. */
export const parseEndpoint = (raw: unknown): EndpointRecord | undefined =>
  parse<EndpointRecord>(raw, endpoint);

/** Undefined for what is no inbox of this release; one that checks signatures needs a secret. */
export function parseInbox(raw: unknown): InboxRecord | undefined {
  const record = parse<InboxRecord>(raw, inbox);
  return record !== undefined && (record.scheme === "none") === (record.secret === undefined)
    ? record
    : undefined;
}

/** Undefined for what is no session of this release. */
export const parseSession = (raw: unknown): SessionRecord | undefined =>
  ofOne(parse<SessionRecord>(raw, session));

/** Undefined for what is no code of this release. */
export const parseLogin = (raw: unknown): LoginRecord | undefined => ofOne(parse<LoginRecord>(raw, login));

/** What is of nobody must not be taken for the operator's. */
const ofOne = <T extends LoginRecord>(record: T | undefined): T | undefined =>
  record !== undefined && (record.account === undefined) === (record.operator === true) ? record : undefined;

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
