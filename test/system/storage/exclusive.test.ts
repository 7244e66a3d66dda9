import { describe, expect, test } from "vitest";
import type { Lease } from "../../../src/storage/lease.ts";
import type { AccountRecord } from "../../../src/storage/records.ts";
import type { Store } from "../../../src/storage/storage.ts";
import { drivers, optionsOf, redisOptions, sharedAs, sharedRedis } from "./drivers.ts";
import { account, key, session } from "../../support/records.ts";
import { openTestStore } from "../../support/store.ts";
import { testRuntime } from "../../support/runtime.ts";

/** The processes that share a store: two nodes and a command on Redis, otherwise the one that has it. */
async function openAll(driver: (typeof drivers)[number]): Promise<[Store, Store, Store]> {
  if (driver === "file" || driver === "memory") {
    const { store } = await openTestStore(await optionsOf(driver));
    return [store, store, store];
  }
  const redis = redisOptions((await sharedAs(driver)).url);
  const open = async (isNode: boolean): Promise<Store> =>
    (await openTestStore({ driver: "redis", redis: { ...redis, isNode } })).store;
  return [await open(true), await open(true), await open(false)];
}

const id = "a".repeat(20);
const revoked = { revokedAt: "2026-11-21T01:00:00.000Z", revokeReason: "leaked" };

describe.each(drivers)("the %s driver", (driver) => {
  test("of concurrent additions of one id, in any process, exactly one is made", async () => {
    const stores = await openAll(driver);
    for (let round = 0; round < 5; round++) {
      const added = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          (stores[at % 3] as Store).accounts.add(
            `acme${round}`,
            account(`acme${round}`, { plan: "team", limit: 10_000 + at }),
          ),
        ),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
      expect((await stores[0].accounts.get(`acme${round}`))?.limit).toBe(10_000 + added.indexOf(true));
    }
  });

  test("no change is lost among concurrent ones, in any process", async () => {
    const stores = await openAll(driver);
    await stores[0].accounts.add("acme", account("acme", { plan: "team", limit: 10_000 }));
    const more = (record: AccountRecord): AccountRecord => ({ ...record, limit: (record.limit ?? 0) + 1 });
    await Promise.all(
      Array.from({ length: 60 }, (_, at) => (stores[at % 3] as Store).accounts.change("acme", more)),
    );
    for (const { accounts } of stores) expect((await accounts.get("acme"))?.limit).toBe(10_060);
  });

  test("a change returns the record before and after it, and is seen at once by its process", async () => {
    const [store] = await openAll(driver);
    await store.accounts.add("acme", account("acme"));
    const changed = await store.accounts.change("acme", (record) => ({ ...record, disabled: true }));
    expect(changed).toEqual({ before: account("acme"), after: account("acme", { disabled: true }) });
    expect(store.accounts.lookup("acme")).toMatchObject({ disabled: true });
  });

  test("a change of nothing, or to nothing, writes nothing", async () => {
    const [store] = await openAll(driver);
    expect(await store.accounts.change("acme", () => account("acme"))).toBeUndefined();
    expect(await store.accounts.ids()).toEqual([]);
    await store.accounts.add("acme", account("acme"));
    expect(await store.accounts.change("acme", () => undefined)).toBeUndefined();
    const refusal = new Error("refused");
    const refuse = (): never => {
      throw refusal;
    };
    await expect(store.accounts.change("acme", refuse)).rejects.toBe(refusal);
    expect(await store.accounts.get("acme")).toEqual(account("acme"));
  });

  test("a record that is removed while it is changed does not come back", async () => {
    const stores = await openAll(driver);
    for (let round = 0; round < 20; round++) {
      await stores[0].keys.add(id, key(id));
      await Promise.all([
        stores[0].keys.change(id, (record) => ({ ...record, name: "new" })),
        stores[1].keys.remove(id),
        stores[2].keys.change(id, (record) => ({ ...record, rotatedTo: "key_b" })),
      ]);
      expect(await stores[0].keys.get(id)).toBeUndefined();
    }
  });

  test("what was revoked stays revoked when a copy from before is written", async () => {
    const [store] = await openAll(driver);
    await store.keys.set(id, key(id, revoked));
    await store.keys.set(id, key(id, { name: "copy" }));
    expect(await store.keys.get(id)).toEqual(key(id, { name: "copy", ...revoked }));
    const { revokedAt } = revoked;
    await store.sessions.set(id, session(id, { revokedAt }));
    await store.sessions.set(id, session(id));
    expect(await store.sessions.get(id)).toEqual(session(id, { revokedAt }));
  });

  test("the holders of one account's lease exclude one another, and those of others do not wait", async () => {
    const stores = await openAll(driver);
    let inside = 0;
    const work = async (): Promise<number> => {
      const others = inside++;
      await stores[0].accounts.get("acme");
      inside--;
      return others;
    };
    const seen = await Promise.all(
      Array.from({ length: 12 }, (_, at) => (stores[at % 3] as Store).hold("acme", work)),
    );
    expect(seen).toEqual(Array(12).fill(0));
    const nested = stores[0].hold("acme", () => stores[1].hold("other", async () => "both"));
    expect(await nested).toBe("both");
  });

  test("a lease that has ended allows no write any more", async () => {
    const [store, other] = await openAll(driver);
    let kept: Lease | undefined;
    await store.hold("acme", async (lease) => {
      kept = lease;
      expect(await store.accounts.add("acme", account("acme"), lease)).toBe(true);
    });
    // Another holder has begun and ended.
    await other.hold("acme", async () => {});
    const late = { code: "overloaded" };
    await expect(store.keys.add(id, key(id), kept)).rejects.toMatchObject(late);
    const change = store.accounts.change("acme", (record) => ({ ...record, disabled: true }), kept);
    await expect(change).rejects.toMatchObject(late);
    await expect(store.accounts.remove("acme", kept)).rejects.toMatchObject(late);
    expect(await store.keys.ids()).toEqual([]);
    expect(await store.accounts.get("acme")).toEqual(account("acme"));
  });
});

describe("the redis driver beside older releases", () => {
  /** Writes a record as releases without compare-and-set do. */
  async function openBeside() {
    const redis = await sharedRedis();
    const options = redisOptions(redis.url);
    let time = 1_000_000;
    const { store } = await openTestStore({
      driver: "redis",
      redis: options,
      runtime: testRuntime({ now: () => time }),
    });
    const write = (record: object) =>
      redis.command("SET", `${options.prefix}keys:${id}`, JSON.stringify(record));
    return { store, write, pass: () => void (time += 500) };
  }

  test("a revocation outlasts a key that is written as it was read before", async () => {
    const { store, write, pass } = await openBeside();
    await store.keys.add(id, key(id));
    await store.keys.change(id, (record) => ({ ...record, ...revoked }));
    const rotated = { expiresAt: "2026-11-22T00:00:00.000Z", rotatedTo: "key_b" };
    await write(key(id, rotated));
    pass();
    const still = key(id, { ...rotated, ...revoked });
    expect(await store.keys.lookup(id)).toEqual(still);
    expect(await store.keys.get(id)).toEqual(still);
    expect((await store.keys.all()).records).toEqual([still]);
    // The next change of this release writes it back.
    const changed = await store.keys.change(id, (record) => ({ ...record, name: "seen" }));
    expect(changed?.before).toEqual(still);
  });

  test("a record in another notation is changed like any other", async () => {
    const { store, write } = await openBeside();
    await write({ ...key(id) });
    const { command } = await sharedRedis();
    const prefix = (await command("KEYS", `*keys:${id}`)) as string[];
    for (const name of prefix) await command("SET", name, JSON.stringify(key(id), null, 2));
    expect((await store.keys.change(id, (record) => ({ ...record, name: "ci" })))?.after.name).toBe("ci");
  });
});
