import { describe, expect, test } from "vitest";
import { personOwner } from "../../../src/storage/person.ts";
import { operatorOwner } from "../../../src/storage/record-kinds.ts";
import { account, inbox, key, login, session } from "../../support/records.ts";
import { makeFolder, openTestStore } from "../../support/store.ts";
import { flip } from "../../support/stored-records.ts";
import { drivers, optionsOf, redisOptions, sharedRedis } from "./drivers.ts";

const idOf = (n: number): string => n.toString(16).padStart(20, "0");
const day = "2026-11-22T00:00:00.000Z";

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

describe.each(drivers)("the lists of the %s driver", (driver) => {
  test("contain what an account has and nothing of others", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    for (let n = 1; n <= 5; n++)
      expect(await store.keys.add(idOf(n), key(idOf(n), { account: n % 2 ? "acme" : "acme-2" }))).toBe(true);
    expect((await store.keys.of("acme")).records.map(({ id }) => id)).toEqual(
      [1, 3, 5].map((n) => `key_${idOf(n)}`),
    );
    expect((await store.keys.of("acme-2")).records).toHaveLength(2);
    expect(await store.keys.of("ac")).toEqual({ records: [], damaged: [] });
    expect([
      await store.keys.count(),
      await store.keys.count("acme"),
      await store.keys.count("none"),
    ]).toEqual([5, 3, 0]);
    await store.keys.remove(idOf(3));
    await store.keys.remove(idOf(3));
    expect((await store.keys.of("acme")).records.map(({ id }) => id)).toEqual(
      [1, 5].map((n) => `key_${idOf(n)}`),
    );
    expect([await store.keys.count(), await store.keys.count("acme")]).toEqual([4, 2]);
  });

  test("are read in pages, each after the last id of the one before", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const names = ["a", "a-1", "a1", "b", "c"];
    for (const name of names) await store.accounts.add(name, account(name));
    expect(await store.accounts.page(undefined, 2)).toMatchObject({
      records: [{ name: "a" }, { name: "a-1" }],
      next: "a-1",
    });
    expect(await store.accounts.page("a-1", 3)).toMatchObject({
      records: [{ name: "a1" }, { name: "b" }, { name: "c" }],
      next: undefined,
    });
    expect(await store.accounts.page("c", 3)).toEqual({ records: [], damaged: [], next: undefined });
    // The record after which a page begins may be gone.
    expect(await store.accounts.idsAfter("a-0", 2)).toEqual(["a-1", "a1"]);
    expect(await store.accounts.ids()).toEqual(names);
  });

  test("have more entries than one step reads", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const ids = Array.from({ length: 1_003 }, (_, n) => idOf(n));
    for (let at = 0; at < ids.length; at += 100)
      await Promise.all(ids.slice(at, at + 100).map((id) => store.keys.add(id, key(id))));
    expect(await store.keys.ids()).toEqual(ids);
    expect((await store.keys.of("acme")).records).toHaveLength(ids.length);
    expect((await store.keys.all()).records).toHaveLength(ids.length);
  });

  test("contain a session under its account or the operator, and under its person", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const person = { issuer: "proxy", subject: "zoe" };
    const { account: _account, ...rest } = session(idOf(2), { person: { ...person, name: "Zoë" } });
    await store.sessions.add(idOf(1), session(idOf(1), { person }));
    await store.sessions.add(idOf(2), { ...rest, operator: true });
    await store.sessions.add(idOf(3), session(idOf(3)));
    const ids = async (owner: string) =>
      (await store.sessions.of(owner)).records.map(({ id }) => Number(`0x${id.slice(4)}`));
    expect([await ids("acme"), await ids(operatorOwner), await ids(personOwner(person))]).toEqual([
      [1, 3],
      [2],
      [1, 2],
    ]);
    expect(await ids(personOwner({ issuer: "proxy", subject: "other" }))).toEqual([]);
  });

  test("order records by their end, until it does not matter any more", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const ends = ["2026-11-25T00:00:00Z", "2026-11-23T00:00:00.000Z", "2026-11-24T00:00:00.000Z"];
    for (const [n, expiresAt] of ends.entries()) await store.keys.add(idOf(n), key(idOf(n), { expiresAt }));
    await store.keys.add(idOf(9), key(idOf(9)));
    const ending = async (from: string | undefined, until: string): Promise<string[]> => {
      const range = { ...(from !== undefined && { from: Date.parse(from) }), until: Date.parse(until) };
      return (await collect(store.keys.ending(range))).map(({ id }) => id.slice(-1));
    };
    expect(await ending(undefined, "2026-12-01T00:00:00Z")).toEqual(["1", "2", "0"]);
    expect(await ending("2026-11-24T00:00:00Z", "2026-11-25T00:00:00Z")).toEqual(["2"]);
    await store.keys.change(idOf(2), (record) => ({ ...record, revokedAt: day }));
    await store.keys.change(idOf(1), (record) => ({ ...record, expiresAt: "2026-11-26T00:00:00.000Z" }));
    expect(await ending(undefined, "2026-12-01T00:00:00Z")).toEqual(["0", "1"]);
    await store.keys.remove(idOf(0));
    expect(await ending(undefined, "2026-12-01T00:00:00Z")).toEqual(["1"]);
  });

  test("lose a code that is taken, and keep one that a copy replaces", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    await store.logins.set(idOf(1), login(idOf(1)));
    await store.logins.set(idOf(1), login(idOf(1), { expiresAt: day }));
    expect(await store.logins.count("acme")).toBe(1);
    expect(await store.logins.take(idOf(1))).toBe(true);
    expect([await store.logins.count("acme"), await store.logins.count()]).toEqual([0, 0]);
    expect(await collect(store.logins.ending({ until: Date.parse("2027-01-01T00:00:00Z") }))).toEqual([]);
  });
});

test("a folder is listed as it is found, and a damaged record of an account is reported", async () => {
  const folder = makeFolder();
  const { store } = await openTestStore({ driver: "file", path: folder });
  for (const n of [1, 2]) await store.keys.add(idOf(n), key(idOf(n)));
  await store.inboxes.add("b".repeat(32), inbox("b".repeat(32)));
  await store.close();
  flip(folder, `keys:${idOf(2)}`);
  for (const readOnly of [false, true]) {
    const { store: again } = await openTestStore({ driver: "file", path: folder, readOnly });
    const { records, damaged } = await again.keys.of("acme");
    expect([records.map(({ id }) => id), damaged]).toEqual([
      [`key_${idOf(1)}`],
      [expect.stringContaining(`keys/${idOf(2)} is damaged`)],
    ]);
    expect((await again.keys.all()).damaged).toEqual([expect.stringContaining(`keys/${idOf(2)} is damaged`)]);
    expect(await again.inboxes.count("acme")).toBe(1);
    await again.close();
  }
});

test("in Redis, an entry without a record is skipped and removed", async () => {
  const redis = await sharedRedis();
  const options = redisOptions(redis.url);
  const { store } = await openTestStore({ driver: "redis", redis: options });
  for (const n of [1, 2]) await store.keys.add(idOf(n), key(idOf(n)));
  await redis.command("DEL", `${options.prefix}keys:${idOf(1)}`);
  expect((await store.keys.of("acme")).records).toHaveLength(1);
  expect(await store.keys.count("acme")).toBe(1);
  expect(await store.keys.count()).toBe(2);
  expect((await store.keys.all()).damaged).toEqual([]);
  expect(await store.keys.count()).toBe(1);
});

test("in Redis, an emptied database has no empty lists", async () => {
  const redis = await sharedRedis();
  const options = redisOptions(redis.url);
  const { store } = await openTestStore({ driver: "redis", redis: options });
  await redis.command("DEL", `${options.prefix}store:4`);
  await expect(store.keys.of("acme")).rejects.toMatchObject({ code: "storage_unavailable" });
});
