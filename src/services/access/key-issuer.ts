import { parseDuration, parseExpiry, toInstant } from "../../catalog/duration.ts";
import { refused } from "../../catalog/refused.ts";
import { defined } from "../../lib/defined.ts";
import type { Lease } from "../../storage/lease.ts";
import { recordVersion } from "../../storage/records.ts";
import type { AccountRecord, KeyRecord, Owned } from "../../storage/records.ts";
import { belongingTo, requireOwner } from "./incarnation.ts";
import { createKey, hashKey, keyPrefix, recordIdOf, refuseSecret } from "./key-format.ts";
import { stateOf } from "./key-state.ts";
import type { IssuedKey, Keys, KeysOptions } from "./keys.ts";

const dayMs = 86_400_000;

/** Issues keys, new ones and replacements. `get` finds the key to replace. */
export function createKeyIssuer(
  { store, runtime, maxKeyDays }: KeysOptions,
  get: Keys["get"],
): Pick<Keys, "issue" | "rotate"> {
  const { accounts, keys, hold } = store;

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
  };
}
