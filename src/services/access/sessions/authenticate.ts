import type { Principal } from "../../../catalog/principal.ts";
import type { Refusals } from "../refusals.ts";
import { belongingTo, lookUpOwner } from "../incarnation.ts";
import { hashKey, isKey, recordIdOf } from "../key-format.ts";
import type { AccountRecord, SessionRecord } from "../../../storage/records.ts";
import { toStoreError } from "../../../storage/errors.ts";
import type { Store } from "../../../storage/storage.ts";
import { toUnavailable } from "../../../storage/unavailable.ts";
import { sessionPrefix } from "./session-format.ts";
import { idleMs, sessionStateOf } from "./state.ts";
import type { Runtime } from "../../../runtime.ts";

/** Returns the principal of a session token, at once if the session is cached. A refusal is a ToolError. */
export type AuthenticateSession = (token: string, ip: string) => Principal | Promise<Principal>;

export function createSessionAuth(deps: {
  store: Pick<Store, "sessions" | "accounts" | "keyUses">;
  runtime: Runtime;
  refusals: Refusals;
  /** Reports whether a request from this address is a use, rather than a check of an open connection. */
  isUse(ip: string): boolean;
  /** Called for each use. */
  onUse?: ((id: string) => void) | undefined;
}): AuthenticateSession {
  const { store, runtime, isUse, onUse } = deps;
  // The last use of each session on this node, or of another node as read from the store.
  const seen = new Map<string, number>();
  const { barred, refuse } = deps.refusals;

  function authenticateToken(
    record: SessionRecord | undefined,
    hash: string,
    ip: string,
  ): Principal | Promise<Principal> {
    // An id is a prefix of the hash; only the whole hash identifies the token.
    if (record?.hash !== hash) {
      throw refuse("unknown_key", `There is no such session. ${again}`, ip);
    }
    const time = runtime.now();
    const lastSeen = Math.max(Date.parse(record.createdAt), seen.get(record.id) ?? 0);
    // A session that nobody used here for half an hour may have been used on another node.
    if (time - lastSeen < idleMs) return authenticateLive(record, time, lastSeen, ip);
    return readLastUse(record.id).then((last) => {
      const lastUse = Math.max(last ?? 0, lastSeen);
      remember(record.id, lastUse);
      return authenticateLive(record, time, lastUse, ip);
    });
  }

  async function readLastUse(id: string): Promise<number | undefined> {
    try {
      return (await (await store.keyUses()).read([id])).last.get(id);
    } catch (error) {
      throw toUnavailable(toStoreError("read", "The times of the last use", error));
    }
  }

  function remember(id: string, time: number): void {
    seen.delete(id);
    if (seen.size >= capacity) seen.delete(seen.keys().next().value as string);
    seen.set(id, time);
  }

  function authenticateLive(
    record: SessionRecord,
    time: number,
    lastUse: number,
    ip: string,
  ): Principal | Promise<Principal> {
    const state = sessionStateOf(record, time, lastUse);
    if (state === "revoked") {
      throw refuse(
        "revoked_key",
        `The session ${record.id} was ended at ${record.revokedAt}. ${againAs(record)}`,
        ip,
      );
    }
    if (state === "expired") {
      throw refuse(
        "expired_key",
        `The session ${record.id} has ended: after 30 minutes without a request, or at ${record.expiresAt}. ${againAs(record)}`,
        ip,
      );
    }
    // Checking an open connection again is no use: an idle page ends too.
    if (isUse(ip)) {
      remember(record.id, time);
      onUse?.(record.id);
    }
    const { account: name } = record;
    if (name === undefined) return { ...toSession(record), operator: true, ip };
    const readAt = store.sessions.readAt(recordIdOf(record.hash));
    const account = lookUpOwner(store.accounts, { ...record, account: name }, readAt);
    return account instanceof Promise
      ? account.then((found) => authenticateAccount(record, found, ip))
      : authenticateAccount(record, account, ip);
  }

  function authenticateAccount(
    record: SessionRecord,
    account: AccountRecord | undefined,
    ip: string,
  ): Principal {
    if (account === undefined) {
      throw refuse("unknown_key", "The account of this session no longer exists.", ip);
    }
    const { name, plan, disabled } = account;
    if (disabled) throw refuse("account_disabled", `The account ${name} is disabled. Ask the operator.`, ip);
    return { ...toSession(record), ...belongingTo(account), plan, ip };
  }

  return (token, ip) => {
    if (!isKey(token, sessionPrefix)) {
      throw refuse(
        "malformed_key",
        "The session token has the wrong length, an invalid character or a wrong checksum: part of it is missing or mistyped.",
        ip,
      );
    }
    const hash = hashKey(token);
    const id = recordIdOf(hash);
    // As with keys, an address at its cap causes few reads of the store, and sessions that work pass.
    if (store.sessions.remembered(id) === undefined) {
      const wait = barred(ip);
      if (wait !== undefined) throw wait;
    }
    const record = store.sessions.lookup(id);
    return record instanceof Promise
      ? record.then((found) => authenticateToken(found, hash, ip))
      : authenticateToken(record, hash, ip);
  };
}

/** Sessions whose last use is kept in memory; that of others is read from the store. */
const capacity = 10_000;

const toSession = ({ id, person, createdAt }: SessionRecord) => ({
  kind: "session" as const,
  sessionId: id,
  ...(person !== undefined && { person }),
  signedInAt: Date.parse(createdAt),
});

const againAs = ({ person }: SessionRecord): string => (person === undefined ? again : "Sign in again.");

const again = "Sign in again, with a code that penknife admin login prints.";
