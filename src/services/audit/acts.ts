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
} from "../../storage/records.ts";
import { isPerson, toPersonActor } from "../../storage/person.ts";
import type { Caller } from "./caller.ts";
import type { Endpoints } from "../webhooks/endpoints.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Services {
  accounts: Accounts;
  keys: Keys;
  limits: Limits;
  sessions: Pick<Sessions, "get" | "live">;
  endpoints: Pick<Endpoints, "get">;
}

/** The object of an act, and its state. */
export interface Subject {
  account?: string;
  /** The id of a key, a session, an endpoint or a delivery, or the actor that a person is. */
  target?: string;
  /** The fields that are compared before and after. */
  state: Fields;
  /** The record of a key, so that the act need not read it again. */
  key?: KeyRecord;
}

/** What is known about an act before it begins: the records that the audit trail has read, and the caller's account. */
export type Found = Pick<Subject, "key"> & Pick<Caller, "owner">;

/** Operations that only read. They are not audited; every other operation is, also one added later. */
export const readOnly: ReadonlySet<string> = new Set([
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
  "usage.reports",
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

/** Reports whether an operation need not wait for the acts before it. A backup waits: it contains every act that was requested earlier. */
export const isRead = (operation: string): boolean =>
  readOnly.has(operation) && !operation.startsWith("backup.");

/** Reads the current object of an act. The state is empty if the object does not exist or cannot be read. */
export async function readSubject(operation: string, args: Fields, services: Services): Promise<Subject> {
  const ofAccount = operation.startsWith("accounts.");
  const named = textOf(args["account"] ?? (ofAccount ? args["name"] : undefined));
  // Text that is not an account name may be a key in the wrong place: do not write it down.
  const account = named !== undefined && isAccountName(named) ? named : undefined;
  if (operation === "sessions.revokeAll") return readPerson(args["person"], account, services);
  if (account === undefined) return readTarget(args["id"], services);
  if (operation.startsWith("inboxes.")) return { account, ...(await readTarget(args["id"], services)) };
  if (operation === "limits.reset") return { account, state: await readUse(account, services) };
  const state = ofAccount ? await readAccount(account, services) : {};
  // An act on all keys of an account: the state lists them, because nothing else names them.
  if (args["revokeKeys"] !== true && operation !== "keys.revokeAll") return { account, state };
  const live = await services.keys.live(account).catch(() => []);
  return { account, state: { ...state, liveKeys: live.map(({ id }) => id) } };
}

/**
 * Reads the object with an id. Deliveries, sign-in codes and inboxes have no state here: a delivery has a log of its
 * own, a code works once, and the contents of an inbox belong to its account.
 */
export async function readTarget(given: unknown, services: Services): Promise<Subject> {
  const id = textOf(given) ?? "";
  if (/^(?:dlv_[0-9a-f-]{36}|login_[0-9a-f]{20}|in_[0-9a-f]{32})$/.test(id)) return { target: id, state: {} };
  if (id.startsWith("ses_") || id.startsWith(sessionPrefix)) return readSession(id, services);
  return /^we_[0-9a-f]{24}$/.test(id) ? readEndpoint(id, services) : readKey(id, services);
}

/** Returns the state that the answer of an act shows, so that the subject need not be read again. */
export const stateIn = (operation: string, result: unknown): Fields | undefined =>
  operation === "keys.revoke" ? keyState(result as KeyRecord) : undefined;

async function readEndpoint(target: string, { endpoints }: Services): Promise<Subject> {
  const record = await endpoints.get(target).catch(() => undefined);
  return record === undefined
    ? { target, state: {} }
    : { target, account: record.account, state: endpointState(record) };
}

async function readKey(idOrKey: string, { keys }: Services): Promise<Subject> {
  const target = keyIdOf(idOrKey);
  if (target === undefined) return { state: {} };
  const record = await keys.get(idOrKey).catch(() => undefined);
  return record === undefined
    ? { target, state: {} }
    : { target, account: record.account, state: keyState(record), key: record };
}

/** @param id The id of the session, or its token, which is not recorded. */
async function readSession(id: string, { sessions }: Services): Promise<Subject> {
  const record = await sessions.get(id).catch(() => undefined);
  return record === undefined
    ? { state: {} }
    : { target: record.id, ...(record.account && { account: record.account }), state: sessionState(record) };
}

/** All sessions of a person: the state lists those that are live, because nothing else names them. */
async function readPerson(
  person: unknown,
  account: string | undefined,
  { sessions }: Services,
): Promise<Subject> {
  if (!isPerson(person)) return { state: {} };
  const live = await sessions.live(person, account).catch(() => []);
  return {
    target: toPersonActor(person),
    ...(account !== undefined && { account }),
    state: { liveSessions: live.map(({ id }) => id) },
  };
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

/** The arguments without those that name the object, so that no key and no code is recorded. A URL is cut to its origin. */
export function toRequest(operation: string, args: Fields): Fields {
  const subject = operation.startsWith("accounts.") ? ["name", "account", "id"] : ["account", "id", "code"];
  if (operation === "sessions.revokeAll") subject.push("person");
  return Object.fromEntries(
    Object.entries(args)
      .filter(([name, value]) => !subject.includes(name) && value !== undefined)
      .map(([name, value]) => [name, name === "url" ? toOrigin(String(value)) : value]),
  );
}

/** The fields that differ, each with both values; null stands for a missing one. */
export function toChanges(before: Fields, after: Fields): Fields {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes: Record<string, unknown> = {};
  for (const name of names) {
    const [old, now] = [before[name] ?? null, after[name] ?? null];
    if (JSON.stringify(old) !== JSON.stringify(now)) changes[name] = { before: old, after: now };
  }
  return changes;
}

/** The id of a key, code, session or inbox that a result shows as new, or of an endpoint whose secret is new. */
export function issuedIn(result: unknown): string | undefined {
  const { id, key, code, token, secret } = (result ?? {}) as Record<string, unknown>;
  // Results that show an existing secret mask it with an ellipsis.
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

const sessionState = ({ operator, person, expiresAt, revokedAt }: SessionRecord): Fields => ({
  operator,
  person: person && toPersonActor(person),
  expiresAt,
  revokedAt,
});

/** Leaves out the secrets, even masked; `previousUntil` shows that one was rotated. */
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

/** Drops the path and the query, which often contain credentials. */
const toOrigin = (url: string): string => URL.parse(url)?.origin ?? "not a URL";

/** The id of a key, from the id or the key; undefined for other text, which may be part of a key and must not be recorded. */
function keyIdOf(text: string): string | undefined {
  if (isKey(text)) return `key_${recordIdOf(hashKey(text))}`;
  return recordIdFrom(text) === undefined ? undefined : text;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
