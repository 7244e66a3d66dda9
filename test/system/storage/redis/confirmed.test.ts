import { expect, onTestFinished, test } from "vitest";
import { account, key } from "../../../support/records.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { openTestStore } from "../../../support/store.ts";
import { documentedRights, redisOptions } from "../drivers.ts";
import { startRedis } from "../redis-server.ts";
import { monitor } from "./monitor.ts";

const id = (n: number): string => n.toString(16).padStart(20, "0");
const soon = { timeout: 60_000 };

async function begin(rights: readonly string[] = documentedRights()) {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const replica = await startRedis(["--replicaof", `127.0.0.1 ${redis.port}`]);
  onTestFinished(() => replica.close());
  await expect
    .poll(async () => String(await replica.command("INFO", "replication")), soon)
    .toContain("master_link_status:up");
  await redis.command("ACL", "SETUSER", "penknife", "on", ">pw", ...rights);
  const url = redis.url.replace("redis://", "redis://penknife:pw@");
  const runtime = testRuntime({ now: () => Date.now(), monotonic: () => performance.now() });
  const { store, errors } = await openTestStore({ driver: "redis", redis: redisOptions(url), runtime });
  await store.accounts.add("acme", account("acme"));
  return { redis, replica, store, errors };
}

test("a change that no replica confirms is reported as failed, although it was made, and delays no count", async () => {
  const { replica, store, errors } = await begin();
  expect(await store.keys.add(id(1), key(id(1)))).toBe(true);
  replica.freeze();
  const unavailable = { code: "storage_unavailable" };
  const added = store.keys.add(id(2), key(id(2))).catch(({ code }: { code: string }) => code);
  expect((await store.counters.consume("account:acme", 1, 10)).used).toBe(1);
  expect(await added).toBe("storage_unavailable");
  expect(errors.at(-1)?.reason).toMatch(/none of its replicas confirms.*then repeat the change/);
  const revoked = { revokedAt: "2026-11-21T01:00:00.000Z" };
  await expect(store.keys.change(id(1), (record) => ({ ...record, ...revoked }))).rejects.toMatchObject(
    unavailable,
  );
  await expect(
    store.accounts.change("acme", (record) => ({ ...record, disabled: true })),
  ).rejects.toMatchObject(unavailable);
  // The primary refuses nothing: what it has closed is closed.
  expect(await store.keys.get(id(1))).toMatchObject(revoked);
  expect(await store.keys.get(id(2))).toBeDefined();
  replica.thaw();
  await expect.poll(() => store.keys.add(id(3), key(id(3))).catch(() => "not yet"), soon).toBe(true);
  expect(await replica.command("GET", "keys")).toBe(null);
  expect(await replica.command("DBSIZE")).toBeGreaterThan(3);
});

test("changes that are made at once share the connection that waits for replicas", async () => {
  const { store } = await begin();
  const added = Array.from({ length: 20 }, (_, n) => store.keys.add(id(n + 1), key(id(n + 1))));
  expect(await Promise.all(added)).toEqual(added.map(() => true));
});

test("the primary is asked once for each change whether it has a replica", async () => {
  const { redis, store } = await begin();
  await store.keys.add(id(1), key(id(1)));
  const { take } = await monitor([redis]);
  await store.keys.add(id(2), key(id(2)));
  const names = (await take()).map(({ words: [name = "", first = ""] }) => `${name} ${first}`.toLowerCase());
  expect(names.filter((name) => name === "info replication")).toHaveLength(1);
  expect(names.filter((name) => name === "wait 1")).toHaveLength(1);
});

test("without a replica nothing waits, and without the right to wait neither", async () => {
  const { replica, store } = await begin(documentedRights().filter((right) => right !== "+wait"));
  replica.freeze();
  expect(await store.keys.add(id(1), key(id(1)))).toBe(true);
  await replica.kill();
  await expect.poll(() => store.keys.add(id(2), key(id(2))).catch(() => "not yet"), soon).toBe(true);
});
