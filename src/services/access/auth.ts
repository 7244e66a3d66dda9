import type { Principal } from "../../catalog/principal.ts";
import { belongingTo, lookUpOwner } from "./incarnation.ts";
import { hashKey, isKey, recordIdOf } from "./key-format.ts";
import { stateOf } from "./key-state.ts";
import { limitOf } from "./plans.ts";
import { createRefusals, letIn, type Refusals } from "./refusals.ts";
import type { AuthenticateSession } from "./sessions/authenticate.ts";
import { sessionPrefix } from "./sessions/session-format.ts";
import type { AccountRecord, KeyRecord } from "../../storage/records.ts";
import type { Store } from "../../storage/storage.ts";
import type { Runtime } from "../../runtime.ts";

export interface Auth {
  /** Returns at once if the key is cached, otherwise a promise. Either way, a refusal is a ToolError. */
  authenticate(credentials: Credentials): Principal | Promise<Principal>;
  /**
   * Returns the probable principal while `authenticate` is pending, so that work can start a round trip earlier;
   * undefined if nothing is known. The result of `authenticate` decides.
   */
  presume(credentials: Credentials): Promise<Principal | undefined>;
  /** For credentials that are authenticated elsewhere, such as sign-in codes. */
  refusals: Refusals;
}

/** Caches the last key of a connection with its hash and its caller: clients send the same key with every request. */
export interface KeyHolder {
  hashed?: { readonly authorization: string; readonly hash: string } | undefined;
  /** The caller, as long as these are the records of its key and its account: a change of one makes a new object. */
  caller?:
    | { readonly record: KeyRecord; readonly account: AccountRecord; readonly principal: Principal }
    | undefined;
}

/** The credentials of a request. */
export interface Credentials {
  /** The Authorization header. */
  authorization: string | undefined;
  /** Number of Authorization headers. */
  authorizationCount: number;
  /** Whether there was an X-API-Key header. */
  xApiKey: boolean;
  /** The client address from `createClientIp`, or `letIn` to check an accepted credential again. */
  ip: string;
  holder?: KeyHolder;
}

export interface AuthOptions {
  store: Store;
  /** Whether callers without a key are accepted. */
  anonymous: boolean;
  runtime: Runtime;
  /** Called at least twice a second for each key in use, and seldom more often; for a session with each request. */
  onUse?: (id: string) => void;
  /** `limits.ipv6Factor`; its default unless given. */
  ipv6Factor?: number;
}

export function createAuth(options: AuthOptions): Auth {
  const { store, anonymous, runtime, onUse, ipv6Factor } = options;
  let authenticateSession: AuthenticateSession | undefined;
  // Each read of a record makes a new object, twice a second for a key in use: comparing it is all that a request costs.
  let lastUsed: KeyRecord | undefined;
  const refusals = createRefusals(runtime, ipv6Factor);
  const { refuse } = refusals;

  function authenticateKey(
    record: KeyRecord | undefined,
    hash: string,
    ip: string,
    holder: KeyHolder | undefined,
  ): Principal | Promise<Principal> {
    // An id is a prefix of the hash; only the whole hash identifies the key.
    if (record?.hash !== hash) {
      throw refuse("unknown_key", "This key was never issued here. Ask the operator for a key.", ip);
    }
    const state = stateOf(record, runtime.now());
    if (state === "revoked") throw refuse("revoked_key", `The key ${record.id} was revoked.`, ip);
    if (state === "expired") {
      throw refuse("expired_key", `The key ${record.id} expired at ${String(record.expiresAt)}.`, ip);
    }
    const account = lookUpOwner(store.accounts, record, store.keys.readAt(recordIdOf(hash)));
    return account instanceof Promise
      ? account.then((found) => authenticateAccount(record, found, ip, holder))
      : authenticateAccount(record, account, ip, holder);
  }

  function authenticateAccount(
    record: KeyRecord,
    account: AccountRecord | undefined,
    ip: string,
    holder: KeyHolder | undefined,
  ): Principal {
    if (account === undefined) {
      throw refuse("unknown_key", "The account of this key no longer exists.", ip);
    }
    if (account.disabled) {
      throw refuse("account_disabled", `The account ${account.name} is disabled. Ask the operator.`, ip);
    }
    // A free account has no keys. A key left by an interrupted downgrade counts as anonymous.
    if (account.plan === "free") {
      if (anonymous) return { kind: "anonymous", ip };
      throw refuse("forbidden", `The account ${account.name} is on the free plan, which has no keys.`, ip);
    }
    if (record !== lastUsed && ip !== letIn) {
      lastUsed = record;
      onUse?.(record.id);
    }
    const known = holder?.caller;
    if (known?.record === record && known.account === account && known.principal.ip === ip) {
      return known.principal;
    }
    const { plan } = account;
    const owner = belongingTo(account);
    const principal: Principal = {
      kind: "key",
      ...owner,
      plan,
      limit: limitOf(account),
      keyId: record.id,
      ip,
    };
    if (holder !== undefined) holder.caller = { record, account, principal };
    return principal;
  }

  function withKey(hash: string, ip: string, holder?: KeyHolder): Principal | Promise<Principal> {
    const id = recordIdOf(hash);
    // A whole company may share one address, and one misconfigured job must not lock out the others: keys that work pass
    // also from an address at its cap. It causes few reads of the store.
    if (store.keys.remembered(id) === undefined) {
      const barred = refusals.barred(ip);
      if (barred !== undefined) throw barred;
    }
    const record = store.keys.lookup(id);
    return record instanceof Promise
      ? record.then((found) => authenticateKey(found, hash, ip, holder))
      : authenticateKey(record, hash, ip, holder);
  }

  /** Loads session authentication with the first session: most servers see none. */
  async function withFirstSession(token: string, ip: string): Promise<Principal> {
    const { createSessionAuth } = await import("./sessions/authenticate.ts");
    authenticateSession ??= createSessionAuth({
      store,
      runtime,
      refusals,
      onUse,
      isUse: (from) => from !== letIn,
    });
    return authenticateSession(token, ip);
  }

  return {
    refusals,
    async presume({ authorization = "", ip }) {
      const key = readBearer(authorization);
      if (key === undefined || key.startsWith(sessionPrefix) || !isKey(key)) return undefined;
      const hash = hashKey(key);
      const id = recordIdOf(hash);
      // `authenticate` has started the read of an uncached key, which is shared.
      const record = store.keys.remembered(id) ?? (await store.keys.lookup(id));
      if (record?.hash !== hash || stateOf(record, runtime.now()) !== "live") return undefined;
      const { account, incarnation, id: keyId } = record;
      const owner = { account, ...(incarnation !== undefined && { incarnation }) };
      const plan = store.accounts.remembered(account)?.plan;
      return { kind: "key", ...owner, ...(plan !== undefined && { plan }), keyId, ip };
    },
    authenticate({ authorization, authorizationCount, xApiKey, ip, holder }) {
      if (authorizationCount > 1 || (authorization !== undefined && xApiKey)) {
        throw refuse(
          "conflicting_credentials",
          "Send exactly one Authorization header and no X-API-Key: with two credentials it is unclear which one counts.",
          ip,
        );
      }
      if (authorization === undefined) {
        if (xApiKey) {
          throw refuse(
            "malformed_key",
            "X-API-Key is not supported. Send Authorization: Bearer svc_live_….",
            ip,
          );
        }
        if (anonymous) return { kind: "anonymous", ip };
        throw refuse("missing_key", "Send Authorization: Bearer svc_live_… with a key of your account.", ip);
      }
      const known = holder?.hashed;
      if (known !== undefined && isSame(known.authorization, authorization))
        return withKey(known.hash, ip, holder);
      const key = readBearer(authorization);
      if (key === undefined) throw refuse("malformed_key", "Send Authorization: Bearer svc_live_….", ip);
      if (key.startsWith(sessionPrefix)) {
        return authenticateSession === undefined ? withFirstSession(key, ip) : authenticateSession(key, ip);
      }
      if (!isKey(key)) {
        throw refuse(
          "malformed_key",
          "The key has the wrong length, an invalid character or a wrong checksum: part of it is missing or mistyped.",
          ip,
        );
      }
      const hash = hashKey(key);
      if (holder !== undefined) holder.hashed = { authorization, hash };
      return withKey(hash, ip, holder);
    },
  };
}

/** Compares in a time that does not depend on where they differ: behind a proxy, callers share a connection. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

/** RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1). */
function readBearer(header: string): string | undefined {
  if (header.startsWith("Bearer svc_")) return header.slice(7);
  return /^bearer +(\S+) *$/i.exec(header)?.[1];
}
