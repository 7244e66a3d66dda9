import type { Accounts } from "../access/accounts.ts";
import { hashKey, isKey, recordIdFrom, recordIdOf } from "../access/key-format.ts";
import type { Keys } from "../access/keys.ts";
import type { Limits } from "../access/limits.ts";
import type { Sessions } from "../access/sessions/sessions.ts";
import {
  type EndpointRecord,
  isAccountName,
  type KeyRecord,
  type SessionRecord,
} from "../../storage/records.ts";
import { isPerson, toPersonActor } from "../../storage/person.ts";
import type { Endpoints } from "../webhooks/endpoints.ts";
import type { Act, SubjectKind } from "./act.ts";

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

/** Reads the current object of an act. The state is empty if the object does not exist or cannot be read. */
export async function readSubject({ subject }: Act, args: Fields, services: Services): Promise<Subject> {
  return subject === undefined ? { state: {} } : readers[subject.kind](args[subject.field], services, args);
}

/** Reads what the answer of an act shows as new. */
export const readIssued = (kind: SubjectKind, id: string, services: Services): Promise<Subject> =>
  readers[kind](id, services, {});

type Reader = (named: unknown, services: Services, args: Fields) => Promise<Subject>;

/** Text that does not have the form of a name or an id may be a key in the wrong place: it is not recorded. */
const readers: Record<SubjectKind, Reader> = {
  account: ofAccount(async (account, services, { revokeKeys }) => ({
    ...(await readAccount(account, services)),
    ...(revokeKeys === true && (await readKeys(account, services))),
  })),
  owner: ofAccount(async () => ({})),
  keys: ofAccount(readKeys),
  quota: ofAccount(readUse),
  // A code works once.
  code: ofForm(/^login_[0-9a-f]{20}$/),
  // A delivery has a log of its own.
  delivery: ofForm(/^dlv_[0-9a-f-]{36}$/),
  // The contents of an inbox belong to its account.
  inbox: async (id, _services, { account }) => ({
    ...(isName(account) && { account }),
    ...(await ofForm(/^in_[0-9a-f]{32}$/)(id, _services, {})),
  }),
  async endpoint(id, { endpoints }) {
    if (typeof id !== "string" || !/^we_[0-9a-f]{24}$/.test(id)) return { state: {} };
    const record = await endpoints.get(id).catch(() => undefined);
    return record === undefined
      ? { target: id, state: {} }
      : { target: id, account: record.account, state: endpointState(record) };
  },
  async key(named, { keys }) {
    const idOrKey = String(named);
    const target = keyIdOf(idOrKey);
    if (target === undefined) return { state: {} };
    const record = await keys.get(idOrKey).catch(() => undefined);
    return record === undefined
      ? { target, state: {} }
      : { target, account: record.account, state: keyState(record), key: record };
  },
  // The id of the session, or its token, which is not recorded.
  async session(id, { sessions }) {
    const record = await sessions.get(String(id)).catch(() => undefined);
    return record === undefined
      ? { state: {} }
      : {
          target: record.id,
          ...(record.account && { account: record.account }),
          state: sessionState(record),
        };
  },
  // The state lists the sessions that are live, because nothing else names them.
  async person(person, { sessions }, args) {
    if (!isPerson(person)) return { state: {} };
    const account = isName(args["account"]) ? args["account"] : undefined;
    const live = await sessions.live(person, account).catch(() => []);
    return {
      target: toPersonActor(person),
      ...(account !== undefined && { account }),
      state: { liveSessions: live.map(({ id }) => id) },
    };
  },
};

function ofAccount(read: (account: string, services: Services, args: Fields) => Promise<Fields>): Reader {
  return async (account, services, args) =>
    isName(account) ? { account, state: await read(account, services, args) } : { state: {} };
}

const isName = (value: unknown): value is string => typeof value === "string" && isAccountName(value);

function ofForm(form: RegExp): Reader {
  return async (id) => (typeof id === "string" && form.test(id) ? { target: id, state: {} } : { state: {} });
}

async function readAccount(name: string, { accounts }: Services): Promise<Fields> {
  const record = await accounts.get(name).catch(() => undefined);
  if (record === undefined) return {};
  const { plan, limit, disabled } = record;
  return { plan, limit, disabled };
}

/** An act on all keys of an account: the state lists them, because nothing else names them. */
async function readKeys(account: string, { keys }: Services): Promise<Fields> {
  const live = await keys.live(account).catch(() => []);
  return { liveKeys: live.map(({ id }) => id) };
}

async function readUse(name: string, { accounts, limits }: Services): Promise<Fields> {
  try {
    return { used: (await limits.peek(await accounts.get(name))).used };
  } catch {
    return {};
  }
}

/** Returns the state that the answer of an act shows, if it shows it. */
export const stateIn = ({ showsSubject }: Act, answer: unknown): Fields | undefined =>
  showsSubject === true ? keyState(answer as KeyRecord) : undefined;

/** The arguments without those that name the object, so that no key and no code is recorded. A URL is cut to its origin. */
export function toRequest({ subject }: Act, args: Fields): Fields {
  return Object.fromEntries(
    Object.entries(args)
      .filter(([name, value]) => name !== subject?.field && name !== "account" && value !== undefined)
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

/** The id of what an answer shows as new. */
export function issuedIn({ issues }: Act, answer: unknown): string | undefined {
  const { id } = (answer ?? {}) as { id?: unknown };
  return issues !== undefined && typeof id === "string" ? id : undefined;
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
