import type { Accounts } from "../access/accounts.ts";
import { toInstant } from "../../catalog/duration.ts";
import type { Keys } from "../access/keys.ts";
import { limitOf } from "../access/plans.ts";
import type { AccountRecord, KeyRecord } from "../../storage/records.ts";
import type { Publisher } from "./publish.ts";
import type { AccountData, EventData, KeyData } from "./types.ts";

/** Returns keys that publish an event for each change, including changes caused by operations on an account. */
export function withKeyEvents(keys: Keys, { publish }: Publisher): Keys {
  async function publishRevoked(record: KeyRecord): Promise<void> {
    await publish("key.revoked", record.account, {
      key: toKeyData(record),
      reason: record.revokeReason ?? null,
    });
  }

  return {
    ...keys,
    async issue(options) {
      const issued = await keys.issue(options);
      await publish("key.issued", issued.record.account, { key: toKeyData(issued.record) });
      return issued;
    },
    async rotate(id, options) {
      const rotated = await keys.rotate(id, options);
      const { record, previous } = rotated;
      await publish("key.rotated", record.account, { key: toKeyData(record), previous: toKeyData(previous) });
      return rotated;
    },
    async revoke(key, options) {
      const before = typeof key === "string" ? await keys.get(key) : key;
      const after = await keys.revoke(before, options);
      // Revoking twice changes nothing.
      if (before.revokedAt === undefined) await publishRevoked(after);
      return after;
    },
    async revokeAll(account, options) {
      const revoked = await keys.revokeAll(account, options);
      for (const record of revoked.records) await publishRevoked(record);
      return revoked;
    },
  };
}

/** Returns accounts that publish an event for each change. */
export function withAccountEvents(accounts: Accounts, { publish }: Publisher): Accounts {
  async function publishChange(
    record: AccountRecord,
    change: EventData["account.updated"]["change"],
  ): Promise<AccountRecord> {
    await publish("account.updated", record.name, { change, account: toAccountData(record) });
    return record;
  }

  async function publishIfChanged(
    name: string,
    change: "changed" | "disabled" | "enabled",
    work: () => Promise<AccountRecord>,
  ): Promise<AccountRecord> {
    const before = toAccountData(await accounts.get(name));
    const after = await work();
    return JSON.stringify(toAccountData(after)) === JSON.stringify(before)
      ? after
      : publishChange(after, change);
  }

  return {
    ...accounts,
    create: async (options) => publishChange(await accounts.create(options), "created"),
    set: (name, changes) => publishIfChanged(name, "changed", () => accounts.set(name, changes)),
    disable: (name) => publishIfChanged(name, "disabled", () => accounts.disable(name)),
    enable: (name) => publishIfChanged(name, "enabled", () => accounts.enable(name)),
    remove: async (name, options) => publishChange(await accounts.remove(name, options), "deleted"),
  };
}

/** The expiry in the event is when the key stops working: for a rotated key, when the rotation stops it. */
export function toKeyData({
  id,
  name,
  start,
  createdAt,
  expiresAt,
  revokedAt,
  rotatedTo,
}: KeyRecord): KeyData {
  const end = rotatedTo === undefined ? expiresAt : (revokedAt ?? expiresAt);
  return {
    id,
    name: name ?? null,
    start,
    createdAt,
    expiresAt: end === undefined ? null : toInstant(Date.parse(end)),
  };
}

const toAccountData = (record: AccountRecord): AccountData => ({
  name: record.name,
  plan: record.plan,
  limit: limitOf(record),
  disabled: record.disabled,
});
