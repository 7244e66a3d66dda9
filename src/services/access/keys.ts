import { ToolError } from "../../catalog/errors.ts";
import { parseDuration, parseExpiry, toInstant } from "../../catalog/duration.ts";
import { createKey, hashKey, holdsKey, isKey, keyPrefix, recordIdFrom, recordIdOf } from "./key-format.ts";
import { refused } from "../../catalog/refused.ts";
import { requireAccount } from "./require-account.ts";
import { recordVersion } from "../storage/records.ts";
import type { AccountRecord, KeyRecord } from "../storage/records.ts";
import type { Listing, Store } from "../storage/storage.ts";

export type KeyState = "live" | "expired" | "revoked";

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
   * Issues a key. `expires` is a duration from now or an RFC 3339 instant; the default is the longest allowed lifetime.
   */
  issue(options: { account: string; name?: string; expires?: string }): Promise<IssuedKey>;
  /** Lists the keys of one account or of all, oldest first, revoked and expired ones included. */
  list(options?: { account?: string }): Promise<Listing<KeyRecord>>;
  get(id: string): Promise<KeyRecord>;
  /** Issues a replacement for a key, which stops at once or after `grace`. */
  rotate(id: string, options?: { grace?: string; expires?: string }): Promise<RotatedKey>;
  /**
   * Revokes a key for good. The record is kept so that callers are answered `revoked_key`. Revoking twice changes
   * nothing.
   */
  revoke(key: string | KeyRecord, options?: { reason?: string }): Promise<KeyRecord>;
  /** Returns the keys that were live. Damaged records have no known owner and never authenticate. */
  revokeAll(account: string, options?: { reason?: string }): Promise<Listing<KeyRecord>>;
  check(idOrKey: string): Promise<KeyCheck>;
  /** Lists the keys of an account that work now. */
  live(account: string): Promise<KeyRecord[]>;
}

export interface KeysOptions {
  store: Store;
  now: () => number;
  /** Returns that many unpredictable bytes. */
  random: (count: number) => Uint8Array;
  /** Longest lifetime of a key in days; 0 for no limit. */
  maxKeyDays: number;
}

const dayMs = 86_400_000;

export function createKeys({ store, now, random, maxKeyDays }: KeysOptions): Keys {
  const { accounts, keys } = store;

  async function list({ account }: { account?: string } = {}): Promise<Listing<KeyRecord>> {
    const { records, damaged } = await keys.all();
    const wanted = records.filter((record) => account === undefined || record.account === account);
    return {
      records: wanted.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id)),
      damaged,
    };
  }

  async function listLive(account: string): Promise<Listing<KeyRecord>> {
    const { records, damaged } = await list({ account });
    return { records: records.filter((record) => stateOf(record, now()) === "live"), damaged };
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

  async function ownerOf(name: string): Promise<AccountRecord> {
    const account = await requireAccount(accounts, name);
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

  async function add(fields: Pick<KeyRecord, "account"> & Partial<KeyRecord>): Promise<IssuedKey> {
    const key = createKey(random);
    const hash = hashKey(key);
    const id = recordIdOf(hash);
    const record: KeyRecord = {
      v: recordVersion,
      id: `key_${id}`,
      hash,
      start: key.slice(0, keyPrefix.length + 4),
      createdAt: toInstant(now()),
      ...fields,
    };
    // A collision of 80 hash bits does not happen by chance, but a key must never replace another.
    if ((await keys.get(id)) !== undefined) throw new Error("a key with this id exists");
    await keys.set(id, record);
    return { key, record };
  }

  async function replace(record: KeyRecord, changes: Partial<KeyRecord>): Promise<KeyRecord> {
    const changed = { ...record, ...changes };
    await keys.set(recordIdOf(record.hash), changed);
    return changed;
  }

  /** Removes the new key of a failed rotation: nobody has seen it, and the old key keeps working. */
  async function takeBack({ id, hash }: KeyRecord, old: KeyRecord): Promise<void> {
    const found = await keys.get(recordIdOf(old.hash)).catch(() => undefined);
    if (found === undefined || found.rotatedTo === id) return;
    await keys.remove(recordIdOf(hash)).catch(() => {});
  }

  async function revoke(key: string | KeyRecord, { reason }: { reason?: string } = {}): Promise<KeyRecord> {
    refuseSecret(reason, "/reason");
    const record = typeof key === "string" ? await get(key) : key;
    if (record.revokedAt !== undefined) return record;
    return replace(record, {
      revokedAt: toInstant(now()),
      ...(reason !== undefined && { revokeReason: reason }),
    });
  }

  return {
    async issue({ account, name, expires }) {
      refuseSecret(name, "/name");
      const expiresAt = expiryOf(expires, now());
      await ownerOf(account);
      return add({
        account,
        ...(name !== undefined && { name }),
        ...(expiresAt !== undefined && { expiresAt }),
      });
    },
    list,
    live: async (account) => (await listLive(account)).records,
    get,
    async rotate(idOrKey, { grace, expires } = {}) {
      const old = await get(idOrKey);
      const time = now();
      const state = stateOf(old, time);
      if (state !== "live") throw refused("/id", `The key ${old.id} is ${state}. Issue a new one instead.`);
      if (old.rotatedTo !== undefined) {
        throw refused("/id", `The key ${old.id} has been rotated already. Rotate ${old.rotatedTo} instead.`);
      }
      const graceMs = grace === undefined ? 0 : parseDuration(grace, "/grace");
      await ownerOf(old.account);
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
      const issued = await add({
        account: old.account,
        ...(old.name !== undefined && { name: old.name }),
        ...(expiresAt !== undefined && { expiresAt }),
        rotatedFrom: old.id,
      });
      const end = Math.min(
        time + graceMs,
        old.expiresAt === undefined ? Infinity : Date.parse(old.expiresAt),
      );
      const stop =
        graceMs === 0
          ? { revokedAt: toInstant(time), revokeReason: "rotated" }
          : { expiresAt: toInstant(end) };
      try {
        return { ...issued, previous: await replace(old, { ...stop, rotatedTo: issued.record.id }) };
      } catch (error) {
        await takeBack(issued.record, old);
        throw error;
      }
    },
    revoke,
    async revokeAll(account, options) {
      const { records, damaged } = await listLive(account);
      const revoked: KeyRecord[] = [];
      for (const record of records) revoked.push(await revoke(record, options));
      return { records: revoked, damaged };
    },
    async check(idOrKey) {
      if (!isKey(idOrKey) && recordIdFrom(idOrKey) === undefined)
        return { valid: false, code: "malformed_key" };
      const record = await find(idOrKey);
      if (record === undefined) return { valid: false, code: "unknown_key" };
      const state = stateOf(record, now());
      if (state !== "live") return { valid: false, code: `${state}_key`, record };
      const account = await accounts.get(record.account);
      if (account === undefined) return { valid: false, code: "unknown_key", record };
      if (account.disabled) return { valid: false, code: "account_disabled", record };
      return { valid: true, record };
    },
  };
}

/** Returns the state of a key; revoked takes precedence over expired. */
export function stateOf(record: KeyRecord, time: number): KeyState {
  if (record.revokedAt !== undefined) return "revoked";
  return record.expiresAt !== undefined && Date.parse(record.expiresAt) <= time ? "expired" : "live";
}

/** Refuses labels that contain a key: labels are stored and shown in clear. */
function refuseSecret(text: string | undefined, pointer: string): void {
  if (text !== undefined && holdsKey(text)) {
    throw refused(pointer, "This text contains a key, which would be stored in clear. Leave the key out.");
  }
}
