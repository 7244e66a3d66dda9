import { ToolError } from "../../catalog/errors.ts";
import { parseDuration, parseExpiry, toInstant } from "../../catalog/duration.ts";
import { defined } from "../../lib/defined.ts";
import { createKey, hashKey, holdsKey, isKey, keyPrefix, recordIdFrom, recordIdOf } from "./key-format.ts";
import { stateOf } from "./key-state.ts";
import { refused } from "../../catalog/refused.ts";
import { belongingTo, isOwnedBy, isSeenBy, requireOwner } from "./incarnation.ts";
import type { Lease } from "../../storage/lease.ts";
import { recordVersion } from "../../storage/records.ts";
import type { AccountRecord, KeyRecord, Owned } from "../../storage/records.ts";
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

const dayMs = 86_400_000;

export function createKeys({ store, runtime, maxKeyDays }: KeysOptions): Keys {
  const { accounts, keys, hold } = store;

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

  async function ownerOf(name: string, caller?: Owned): Promise<AccountRecord> {
    const account = await requireOwner(accounts, name, caller);
    if (account.plan === "free") {
      throw refused(
        "/account",
        `The account ${name} is on the free plan, which has no keys. Upgrade it first: penknife admin accounts set ${name} --plan pro.`,
      );
    }
    return account;
  }

  function expiryOf(expires: string | undefined, time: number): string | undefined {
    const latest = maxKeyDays > 0 ? time + maxKeyDays * dayMs : undefined;
    const end = expires === undefined ? latest : parseExpiry(expires, time, "/expires");
    if (end === undefined) return undefined;
    if (end <= time) throw refused("/expires", `expires must be in the future, got ${toInstant(end)}.`);
    if (latest !== undefined && end > latest) {
      throw refused("/expires", `A key lives for at most ${maxKeyDays} days here (auth.maxKeyDays).`);
    }
    return toInstant(end);
  }

  async function add(
    fields: Pick<KeyRecord, "account"> & Partial<KeyRecord>,
    lease: Lease,
  ): Promise<IssuedKey> {
    const key = createKey(runtime.random);
    const hash = hashKey(key);
    const id = recordIdOf(hash);
    const record: KeyRecord = {
      v: recordVersion,
      id: `key_${id}`,
      hash,
      start: key.slice(0, keyPrefix.length + 4),
      createdAt: toInstant(runtime.now()),
      ...fields,
    };
    // A collision of 80 hash bits does not happen by chance, but a key must never replace another.
    if (!(await keys.add(id, record, lease))) throw new Error("a key with this id exists");
    return { key, record };
  }

  /** Returns the key if it may be rotated. */
  function requireRotatable(record: KeyRecord, time: number): KeyRecord {
    const state = stateOf(record, time);
    if (state !== "live") throw refused("/id", `The key ${record.id} is ${state}. Issue a new one instead.`);
    if (record.rotatedTo === undefined) return record;
    throw refused(
      "/id",
      `The key ${record.id} has been rotated already. Rotate ${record.rotatedTo} instead.`,
    );
  }

  /** Removes the new key of a failed rotation: nobody has seen it, and the old key keeps working. */
  async function takeBack({ id, hash }: KeyRecord, old: KeyRecord, lease: Lease): Promise<void> {
    const found = await keys.get(recordIdOf(old.hash)).catch(() => undefined);
    if (found === undefined || found.rotatedTo === id) return;
    await keys.remove(recordIdOf(hash), lease).catch(() => {});
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
    async issue({ account, name, expires, caller }) {
      refuseSecret(name, "/name");
      const expiresAt = expiryOf(expires, runtime.now());
      await ownerOf(account, caller);
      return hold(account, async (lease) => {
        const owner = belongingTo(await ownerOf(account, caller));
        return add({ ...owner, ...defined({ name, expiresAt }) }, lease);
      });
    },
    list,
    live: async (account) => (await listLive(account)).records,
    get,
    async rotate(idOrKey, { grace, expires } = {}) {
      const { id, account } = requireRotatable(await get(idOrKey), runtime.now());
      const graceMs = grace === undefined ? 0 : parseDuration(grace, "/grace");
      return hold(account, async (lease) => {
        const time = runtime.now();
        const old = requireRotatable(await get(id), time);
        const owner = belongingTo(await ownerOf(account, old));
        // The new key has the lifetime of the old one, counted from now.
        const lifetime =
          old.expiresAt === undefined ? undefined : Date.parse(old.expiresAt) - Date.parse(old.createdAt);
        const expiresAt =
          expires === undefined &&
          lifetime !== undefined &&
          (maxKeyDays === 0 || lifetime <= maxKeyDays * dayMs)
            ? toInstant(time + lifetime)
            : expiryOf(expires, time);
        // The new key is stored first: a crash in between leaves one key too many, never one too few.
        const issued = await add(
          {
            ...owner,
            ...defined({ name: old.name, expiresAt }),
            rotatedFrom: old.id,
          },
          lease,
        );
        const replaceBy = (record: KeyRecord): KeyRecord => {
          const { expiresAt: before } = requireRotatable(record, time);
          const end = Math.min(time + graceMs, before === undefined ? Infinity : Date.parse(before));
          const stop =
            graceMs === 0
              ? { revokedAt: toInstant(time), revokeReason: "rotated" }
              : { expiresAt: toInstant(end) };
          return { ...record, ...stop, rotatedTo: issued.record.id };
        };
        try {
          const changed = await keys.change(recordIdOf(old.hash), replaceBy, lease);
          return { ...issued, previous: changed?.after ?? (await get(id)) };
        } catch (error) {
          await takeBack(issued.record, old, lease);
          throw error;
        }
      });
    },
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

/** Refuses labels that contain a key: labels are stored and shown in clear. */
function refuseSecret(text: string | undefined, pointer: string): void {
  if (text !== undefined && holdsKey(text)) {
    throw refused(pointer, "This text contains a key, which would be stored in clear. Leave the key out.");
  }
}
