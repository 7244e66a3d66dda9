import type { Principal } from "../../../catalog/principal.ts";
import type { Refusals } from "../auth.ts";
import { hashKey, isKey, recordIdOf } from "../key-format.ts";
import type { AccountRecord, SessionRecord } from "../../storage/records.ts";
import type { Store } from "../../storage/storage.ts";
import { sessionPrefix } from "./session-format.ts";
import { sessionStateOf } from "./state.ts";

/** Returns the principal of a session token, at once if the session is cached. A refusal is a ToolError. */
export type AuthenticateSession = (token: string, ip: string) => Principal | Promise<Principal>;

export function createSessionAuth(deps: {
  store: Pick<Store, "sessions" | "accounts">;
  /** Epoch milliseconds. */
  now(): number;
  refusals: Refusals;
}): AuthenticateSession {
  const { store, now } = deps;
  const { blocked, refuse } = deps.refusals;

  function authenticateToken(
    record: SessionRecord | undefined,
    hash: string,
    ip: string,
  ): Principal | Promise<Principal> {
    // An id is a prefix of the hash; only the whole hash identifies the token.
    if (record?.hash !== hash) {
      throw refuse("unknown_key", `There is no such session. ${again}`, ip);
    }
    const state = sessionStateOf(record, now());
    if (state === "revoked") {
      throw refuse("revoked_key", `The session ${record.id} was ended at ${record.revokedAt}. ${again}`, ip);
    }
    if (state === "expired") {
      throw refuse(
        "expired_key",
        `The session ${record.id} has ended, at ${record.expiresAt} at the latest. ${again}`,
        ip,
      );
    }
    if (record.account === undefined) return { kind: "session", operator: true, sessionId: record.id, ip };
    const account = store.accounts.lookup(record.account);
    return account instanceof Promise
      ? account.then((found) => authenticateAccount(record, found, ip))
      : authenticateAccount(record, account, ip);
  }

  function authenticateAccount(
    { id }: SessionRecord,
    account: AccountRecord | undefined,
    ip: string,
  ): Principal {
    if (account === undefined) {
      throw refuse("unknown_key", "The account of this session no longer exists.", ip);
    }
    const { name, plan, disabled } = account;
    if (disabled) throw refuse("account_disabled", `The account ${name} is disabled. Ask the operator.`, ip);
    return { kind: "session", account: name, plan, sessionId: id, ip };
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
    // As with keys, an address at its cap causes no reads of the store, but cached sessions keep working.
    if (store.sessions.remembered(id) === undefined) {
      const wait = blocked(ip);
      if (wait !== undefined) throw wait;
    }
    const record = store.sessions.lookup(id);
    return record instanceof Promise
      ? record.then((found) => authenticateToken(found, hash, ip))
      : authenticateToken(record, hash, ip);
  };
}

const again = "Sign in again, with a code that penknife admin login prints.";
