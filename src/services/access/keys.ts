import { ToolError } from "../../catalog/errors.ts";
import { toInstant } from "../../catalog/duration.ts";
import { hashKey, isKey, recordIdFrom, recordIdOf, refuseSecret } from "./key-format.ts";
import { createKeyIssuer } from "./key-issuer.ts";
import { stateOf } from "./key-state.ts";
import { isOwnedBy, isSeenBy, requireOwner } from "./incarnation.ts";
import type { Lease } from "../../storage/lease.ts";
import type { KeyRecord, Owned } from "../../storage/records.ts";
import type { Listing, Store } from "../../storage/storage.ts";
import type { Runtime } from "../../runtime.ts";

/** A new key with its record; the key itself is not stored and is shown once. */
export interface IssuedKey {
  key: string;
  record: KeyRecord;
}

export interface RotatedKey extends IssuedKey {
  /** The record of the replaced key after the rotation. */
  previous: KeyRecord;
}

export interface KeyCheck {
  valid: boolean;
  /** The error code with which a call would be refused. */
  code?: "malformed_key" | "unknown_key" | "expired_key" | "revoked_key" | "account_disabled";
  record?: KeyRecord;
}

/** Every `id` may also be the key itself, which is all that the finder of a leaked key has. */
export interface Keys {
  /**
   * Issues a key. `expires` is a duration from now or an RFC 3339 instant; the default is the longest allowed lifetime. `caller`
   * is refused if its account is no longer the one of that name.
   */
  issue(options: { account: string; name?: string; expires?: string; caller?: Owned }): Promise<IssuedKey>;
  /**
   * Lists the keys of one account or of all, oldest first, revoked and expired ones included. A caller sees none of another
   * account of its name.
   */
  list(options?: { account?: string; caller?: Owned }): Promise<Listing<KeyRecord>>;
  get(id: string): Promise<KeyRecord>;
  /** Issues a replacement for a key, which stops at once or after `grace`. */
  rotate(id: string, options?: { grace?: string; expires?: string }): Promise<RotatedKey>;
  /**
   * Revokes a key for good. The record is kept so that callers are answered `revoked_key`. Revoking twice changes
   * nothing.
   */
  revoke(key: string | KeyRecord, options?: { reason?: string }): Promise<KeyRecord>;
  /**
   * Returns the keys that were live. Damaged records have no known owner and never authenticate.
   * @param options `lease` is that of the account, if the caller holds it already.
   */
  revokeAll(
    account: string,
    options?: { reason?: string; caller?: Owned; lease?: Lease },
  ): Promise<Listing<KeyRecord>>;
  check(idOrKey: string): Promise<KeyCheck>;
  /** Lists the keys of an account that work now. */
  live(account: string): Promise<KeyRecord[]>;
}

export interface KeysOptions {
  store: Store;
  runtime: Runtime;
  /** Longest lifetime of a key in days; 0 for no limit. */
  maxKeyDays: number;
}

export function createKeys(options: KeysOptions): Keys {
  const { store, runtime } = options;
  const { accounts, keys, hold } = store;
  const { issue, rotate } = createKeyIssuer(options, get);

  async function list({ account, caller }: { account?: string; caller?: Owned } = {}): Promise<
    Listing<KeyRecord>
  > {
    const { records, damaged } = await (account === undefined ? keys.all() : keys.of(account));
    const wanted = records.filter((record) => isSeenBy(record, caller));
    return {
      records: wanted.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id)),
      damaged,
    };
  }

  async function listLive(account: string): Promise<Listing<KeyRecord>> {
    const owner = await accounts.get(account);
    const { records, damaged } = await list({ account });
    const isLive = (record: KeyRecord): boolean =>
      stateOf(record, runtime.now()) === "live" && (owner === undefined || isOwnedBy(record, owner));
    return { records: records.filter(isLive), damaged };
  }

  async function find(idOrKey: string): Promise<KeyRecord | undefined> {
    if (isKey(idOrKey)) {
      const hash = hashKey(idOrKey);
      const record = await keys.get(recordIdOf(hash));
      return record?.hash === hash ? record : undefined;
    }
    const id = recordIdFrom(idOrKey);
    return id === undefined ? undefined : keys.get(id);
  }

  async function get(idOrKey: string): Promise<KeyRecord> {
    const record = await find(idOrKey);
    if (record !== undefined) return record;
    // Only an id is repeated: other text may be a mistyped key, and messages end up in logs.
    const what = recordIdFrom(idOrKey) === undefined ? "such key" : `key ${idOrKey}`;
    throw new ToolError("not_found", `There is no ${what}. penknife admin keys list shows them all.`);
  }

  /** Returns undefined if the key was revoked before. */
  async function revokeOne(
    { hash }: KeyRecord,
    reason?: string,
    lease?: Lease,
  ): Promise<KeyRecord | undefined> {
    const stop = {
      revokedAt: toInstant(runtime.now()),
      ...(reason !== undefined && { revokeReason: reason }),
    };
    const changed = await keys.change(
      recordIdOf(hash),
      (record) => (record.revokedAt === undefined ? { ...record, ...stop } : undefined),
      lease,
    );
    return changed?.after;
  }

  async function revoke(key: string | KeyRecord, { reason }: { reason?: string } = {}): Promise<KeyRecord> {
    refuseSecret(reason, "/reason");
    const record = typeof key === "string" ? await get(key) : key;
    return record.revokedAt === undefined ? ((await revokeOne(record, reason)) ?? get(record.id)) : record;
  }

  return {
    list,
    live: async (account) => (await listLive(account)).records,
    get,
    issue,
    rotate,
    revoke,
    async revokeAll(account, { reason, caller, lease: held } = {}) {
      refuseSecret(reason, "/reason");
      const revokeLive = async (lease: Lease): Promise<Listing<KeyRecord>> => {
        if (caller !== undefined) await requireOwner(accounts, account, caller);
        const { records, damaged } = await listLive(account);
        const revoked: KeyRecord[] = [];
        for (const record of records) {
          const ended = await revokeOne(record, reason, lease);
          if (ended !== undefined) revoked.push(ended);
        }
        return { records: revoked, damaged };
      };
      return held === undefined ? hold(account, revokeLive) : revokeLive(held);
    },
    async check(idOrKey) {
      if (!isKey(idOrKey) && recordIdFrom(idOrKey) === undefined)
        return { valid: false, code: "malformed_key" };
      const record = await find(idOrKey);
      if (record === undefined) return { valid: false, code: "unknown_key" };
      const state = stateOf(record, runtime.now());
      if (state !== "live") return { valid: false, code: `${state}_key`, record };
      const account = await accounts.get(record.account);
      if (account === undefined || !isOwnedBy(record, account))
        return { valid: false, code: "unknown_key", record };
      if (account.disabled) return { valid: false, code: "account_disabled", record };
      return { valid: true, record };
    },
  };
}
