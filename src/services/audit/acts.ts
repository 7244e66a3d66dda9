import type { Accounts } from "../access/accounts.ts";
import { hashKey, isKey, recordIdFrom, recordIdOf } from "../access/key-format.ts";
import type { Keys } from "../access/keys.ts";
import type { Limits } from "../access/limits.ts";
import { sessionPrefix } from "../access/sessions/session-format.ts";
import type { Sessions } from "../access/sessions/sessions.ts";
import {
  type EndpointRecord,
  isAccountName,
  type KeyRecord,
  type SessionRecord,
} from "../storage/records.ts";
import type { Endpoints } from "../webhooks/endpoints.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Services {
  accounts: Accounts;
  keys: Keys;
  limits: Limits;
  sessions: Pick<Sessions, "get">;
  endpoints: Pick<Endpoints, "get">;
}

/** What an act is about, and what of it may change. */
export interface Subject {
  account?: string;
  /** The id of a key, an endpoint or a delivery. */
  target?: string;
  /** The fields that are compared before and after. */
  state: Fields;
}

/** Operations that only look: they leave no line. Whatever else there is, or will be, leaves one. */
export const looking: ReadonlySet<string> = new Set([
  "accounts.list",
  "accounts.show",
  "keys.list",
  "keys.show",
  "keys.check",
  "sessions.check",
  "sessions.list",
  "sessions.show",
  "usage",
  "usage.history",
  "audit.list",
  "audit.verify",
  "webhooks.list",
  "webhooks.show",
  "webhooks.deliveries",
  "webhooks.delivery",
  "backup.begin",
  "backup.next",
  "backup.end",
]);

/** What waits for no act before it. A backup does: it begins with what was done when it was asked for. */
export const looksOnly = (operation: string): boolean =>
  looking.has(operation) && !operation.startsWith("backup.");

/** Reads what an act is about as it is now; what cannot be read or is not there has no state. */
export async function readSubject(operation: string, args: Fields, services: Services): Promise<Subject> {
  const ofAccount = operation.startsWith("accounts.");
  const named = textOf(args["account"] ?? (ofAccount ? args["name"] : undefined));
  // What cannot be the name of an account may be a key on the wrong side of an option.
  const account = named !== undefined && isAccountName(named) ? named : undefined;
  if (account === undefined) return readTarget(args["id"], services);
  if (operation.startsWith("inboxes.")) return { account, ...(await readTarget(args["id"], services)) };
  if (operation === "limits.reset") return { account, state: await readUse(account, services) };
  const state = ofAccount ? await readAccount(account, services) : {};
  // The plural of an act: which keys it was, only they themselves can tell.
  if (args["revokeKeys"] !== true && operation !== "keys.revokeAll") return { account, state };
  const live = await services.keys.live(account).catch(() => []);
  return { account, state: { ...state, liveKeys: live.map(({ id }) => id) } };
}

/**
 * What an id stands for. Of a delivery nothing changes that is not in its own log, a code ends with its use, and what is
 * in an inbox is its account's.
 */
export async function readTarget(given: unknown, services: Services): Promise<Subject> {
  const id = textOf(given) ?? "";
  if (/^(?:dlv_[0-9a-f-]{36}|login_[0-9a-f]{20}|in_[0-9a-f]{32})$/.test(id)) return { target: id, state: {} };
  if (id.startsWith("ses_") || id.startsWith(sessionPrefix)) return readSession(id, services);
  return /^we_[0-9a-f]{24}$/.test(id) ? readEndpoint(id, services) : readKey(keyIdOf(id), services);
}

async function readEndpoint(target: string, { endpoints }: Services): Promise<Subject> {
  const record = await endpoints.get(target).catch(() => undefined);
  return record === undefined
    ? { target, state: {} }
    : { target, account: record.account, state: endpointState(record) };
}

async function readKey(target: string | undefined, { keys }: Services): Promise<Subject> {
  if (target === undefined) return { state: {} };
  const record = await keys.get(target).catch(() => undefined);
  return record === undefined
    ? { target, state: {} }
    : { target, account: record.account, state: keyState(record) };
}

/** By its id, or by its token, which is not kept. */
async function readSession(id: string, { sessions }: Services): Promise<Subject> {
  const record = await sessions.get(id).catch(() => undefined);
  return record === undefined
    ? { state: {} }
    : { target: record.id, ...(record.account && { account: record.account }), state: sessionState(record) };
}

async function readAccount(name: string, { accounts }: Services): Promise<Fields> {
  const record = await accounts.get(name).catch(() => undefined);
  if (record === undefined) return {};
  const { plan, limit, disabled } = record;
  return { plan, limit, disabled };
}

async function readUse(name: string, { accounts, limits }: Services): Promise<Fields> {
  try {
    return { used: (await limits.peek(await accounts.get(name))).used };
  } catch {
    return {};
  }
}

/** Members that were asked for, without those that say what it is about: a key that stands in for its id, or a code, is none of them. */
export function toRequest(operation: string, args: Fields): Fields {
  const subject = operation.startsWith("accounts.") ? ["name", "account", "id"] : ["account", "id", "code"];
  return Object.fromEntries(
    Object.entries(args)
      .filter(([name, value]) => !subject.includes(name) && value !== undefined)
      .map(([name, value]) => [name, name === "url" ? toOrigin(String(value)) : value]),
  );
}

/** The fields that differ, each with both of its values; null for one that was not there. */
export function toChanges(before: Fields, after: Fields): Fields {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes: Record<string, unknown> = {};
  for (const name of names) {
    const [old, now] = [before[name] ?? null, after[name] ?? null];
    if (JSON.stringify(old) !== JSON.stringify(now)) changes[name] = { before: old, after: now };
  }
  return changes;
}

/** The id of a key, a code, a session or an inbox that was made, or of an endpoint with a new secret, from the one answer that holds that. */
export function issuedIn(result: unknown): string | undefined {
  const { id, key, code, token, secret } = (result ?? {}) as Record<string, unknown>;
  // What is masked in other answers is no news.
  const isNew =
    (typeof id === "string" && id.startsWith("in_")) ||
    [key, code, token].some((one) => typeof one === "string") ||
    (typeof secret === "string" && !secret.includes("…"));
  return typeof id === "string" && isNew ? id : undefined;
}

const keyState = ({ name, expiresAt, revokedAt, revokeReason, rotatedTo }: KeyRecord): Fields => ({
  name,
  expiresAt,
  revokedAt,
  revokeReason,
  rotatedTo,
});

const sessionState = ({ operator, expiresAt, revokedAt }: SessionRecord): Fields => ({
  operator,
  expiresAt,
  revokedAt,
});

/** Nothing of the secrets, not even masked: `previousUntil` tells of a rotation. */
const endpointState = (record: EndpointRecord): Fields => ({
  origin: toOrigin(record.url),
  method: record.method,
  events: record.events,
  state: record.state,
  disabledReason: record.disabledReason,
  retryClientErrors: record.retryClientErrors,
  description: record.description,
  previousUntil: record.previousUntil,
});

/** The path and the query of an URL are often what lets one in. */
const toOrigin = (url: string): string => URL.parse(url)?.origin ?? "not a URL";

/** Undefined for what is neither an id nor a key: half a key that was pasted must not be kept. */
function keyIdOf(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  if (isKey(text)) return `key_${recordIdOf(hashKey(text))}`;
  return recordIdFrom(text) === undefined ? undefined : text;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
