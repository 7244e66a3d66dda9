import { describe, expect, test } from "vitest";
import { markKey } from "../../../../src/storage/redis/marker.ts";
import type { SharedOptions, Store } from "../../../../src/storage/storage.ts";
import { account, endpoint, key, session } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { redisOptions, sharedRedis } from "../drivers.ts";

const idOf = (n: number): string => n.toString(16).padStart(20, "0");

interface Beside {
  /** Writes a record as releases without lists do. */
  write(name: string, record: unknown): Promise<unknown>;
  /** Begins the store, or begins it anew, as these releases do. */
  begin(): Promise<unknown>;
  open(): Promise<Store>;
  command(...words: (string | number)[]): Promise<unknown>;
  prefix: string;
  notices: string[];
}

async function openBeside(changes: Partial<SharedOptions> = {}): Promise<Beside> {
  const redis = await sharedRedis();
  const notices: string[] = [];
  const options = redisOptions(redis.url, {
    onNotice: (_level, text) => void notices.push(text),
    ...changes,
  });
  const { prefix } = options;
  return {
    write: (name, record) =>
      redis.command("SET", `${prefix}${name}`, typeof record === "string" ? record : JSON.stringify(record)),
    begin: () => redis.command("SET", `${prefix}store`, '{"v":1,"id":"old"}', "NX"),
    open: async () => (await openTestStore({ driver: "redis", redis: options })).store,
    command: redis.command,
    prefix,
    notices,
  };
}

const inNames = (names: string[], count: number): string[] =>
  names.filter((text) => text.includes(`of ${count} records`));

describe("a store of a release without lists", () => {
  test("gets them at the first start: every record is listed, a damaged one too, and foreign names are not", async () => {
    const beside = await openBeside();
    await beside.begin();
    await beside.write("accounts:acme", account("acme"));
    for (let n = 1; n <= 3; n++)
      await beside.write(`keys:${idOf(n)}`, key(idOf(n), { expiresAt: "2026-11-25T00:00:00.000Z" }));
    await beside.write(`keys:${idOf(4)}`, '{"v":1');
    await beside.write(`keys:copy of a key`, key(idOf(5)));
    await beside.write(`endpoints:${"a".repeat(24)}`, endpoint("a".repeat(24), { account: "other" }));
    await beside.write(`sessions:${idOf(6)}`, session(idOf(6)));
    await beside.command("SET", "accounts:foreign", JSON.stringify(account("foreign")));
    const store = await beside.open();
    expect(store.hadAccounts).toBe(true);
    expect(await store.accounts.ids()).toEqual(["acme"]);
    expect((await store.keys.of("acme")).records).toHaveLength(3);
    expect((await store.keys.all()).damaged).toEqual([expect.stringContaining(`keys/${idOf(4)} is damaged`)]);
    expect(await store.endpoints.count("other")).toBe(1);
    expect(await store.sessions.count("acme")).toBe(1);
    let ending = 0;
    for await (const { account: of } of store.keys.ending({ until: Date.parse("2026-11-26T00:00:00Z") }))
      ending += of === "acme" ? 1 : 0;
    expect(ending).toBe(3);
    expect(inNames(beside.notices, 7)).toHaveLength(1);
    await beside.open();
    expect(beside.notices.filter((text) => text.includes("lists"))).toHaveLength(2);
    expect(beside.notices.join("\n")).toMatch(
      /upgrade them\. Until then they report that Redis was emptied or has a value of another type; neither/,
    );
  });

  test("is taken over by one of several processes that start at once", async () => {
    const beside = await openBeside();
    await beside.begin();
    for (let n = 1; n <= 50; n++) await beside.write(`keys:${idOf(n)}`, key(idOf(n)));
    const stores = await Promise.all([beside.open(), beside.open(), beside.open()]);
    for (const store of stores) expect(await store.keys.count("acme")).toBe(50);
    expect(inNames(beside.notices, 50)).toHaveLength(1);
  });

  test("is completed by the next start if the first was killed", async () => {
    const beside = await openBeside();
    await beside.write("store:4", { v: 4, id: "new", unlisted: "new-1" });
    await beside.write("accounts:acme", account("acme"));
    const store = await beside.open();
    expect(await store.accounts.count()).toBe(1);
    expect(JSON.parse(String(await beside.command("GET", markKey(beside.prefix))))).toEqual({
      v: 4,
      id: "new",
    });
  });

  test("does not let servers and commands of that release in", async () => {
    const beside = await openBeside();
    await beside.begin();
    await beside.open();
    // They look for their mark before they add a record or accept an event, and report themselves when they start.
    expect(await beside.command("EXISTS", `${beside.prefix}store`)).toBe(0);
    for (const list of ["nodes", "servers", "servers:3"])
      await expect(beside.command("ZADD", beside.prefix + list, 1, "old")).rejects.toThrow("WRONGTYPE");
  });

  test("is searched again if one of that release has begun it anew", async () => {
    const beside = await openBeside();
    const store = await beside.open();
    await store.accounts.add("acme", account("acme"));
    await beside.begin();
    await beside.write("accounts:late", account("late"));
    // By the heartbeat of the server.
    await expect.poll(() => store.accounts.ids(), { timeout: 60_000 }).toEqual(["acme", "late"]);
    await expect.poll(() => beside.command("EXISTS", `${beside.prefix}store`)).toBe(0);
  });
});

test("a store of a newer release is refused with words", async () => {
  const beside = await openBeside();
  await beside.write("store:4", { v: 5, id: "newer" });
  await expect(beside.open()).rejects.toThrow(
    /a store of a newer release of penknife \(version 5, this one reads 4\)\. Start that release/,
  );
});

test("a server does not begin a store that was emptied under it", async () => {
  const beside = await openBeside();
  const store = await beside.open();
  await beside.command("DEL", markKey(beside.prefix));
  await expect
    .poll(
      () =>
        store.check().then(
          () => "",
          (error: Error) => error.message,
        ),
      { timeout: 60_000 },
    )
    .toContain("was emptied");
  expect(await beside.command("EXISTS", markKey(beside.prefix))).toBe(0);
});
