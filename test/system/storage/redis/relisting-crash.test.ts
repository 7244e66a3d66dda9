import { expect, onTestFinished, test } from "vitest";
import { markKey } from "../../../../src/storage/redis/marker.ts";
import { account, key } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { startChild } from "../child.ts";
import { redisOptions, sharedRedis } from "../drivers.ts";
import { startProxy } from "../redis-proxy.ts";

const fixture = new URL("./store-opener.ts", import.meta.url).pathname;
const soon = { timeout: 60_000, interval: 20 };
const idOf = (n: number): string => n.toString(16).padStart(20, "0");

/** A store as a release without lists leaves it, with this many keys. */
async function beginOld(keys: number) {
  const redis = await sharedRedis();
  const options = redisOptions(redis.url);
  const { prefix } = options;
  const list = `${prefix}list:keys`;

  const write = async (from: number, to: number): Promise<void> => {
    const records = Array.from({ length: to - from }, (_, at) => key(idOf(from + at)));
    await redis.pipeline(
      records.map((record) => ["SET", `${prefix}keys:${record.id.slice(4)}`, JSON.stringify(record)]),
    );
  };
  const begin = (): Promise<unknown> => redis.command("SET", `${prefix}store`, '{"v":1,"id":"old"}', "NX");
  const mark = async () => JSON.parse(String(await redis.command("GET", markKey(prefix)))) as object;

  await redis.command("SET", `${prefix}accounts:acme`, JSON.stringify(account("acme")));
  await write(0, keys);
  await begin();
  return { redis, options, prefix, list, write, begin, mark };
}

test("a process that is killed while it makes the lists leaves them to the next, which completes them", async () => {
  const keys = 20_000;
  const { redis, options, prefix, list, mark } = await beginOld(keys);
  const proxy = await startProxy(() => redis.port);
  onTestFinished(() => proxy.close());
  // Every step takes a while, so that the process is killed between two of them.
  proxy.delay(100);
  const url = redis.url.replace(`:${redis.port}/`, `:${proxy.port}/`);
  const child = startChild("open", JSON.stringify({ url, prefix }), { fixture });
  await child.said(/the lists of records are being made and its deliveries and usage moved now/);
  await expect.poll(() => redis.command("ZCARD", list), soon).toBeGreaterThan(0);
  await child.kill();
  expect(child.lines).not.toContain("opened");
  expect(Number(await redis.command("ZCARD", list))).toBeLessThan(keys);
  expect(await mark()).toHaveProperty("unlisted");
  // Waits for the end of the lease that the killed process has.
  const { store } = await openTestStore({ driver: "redis", redis: options });
  expect(await store.keys.count()).toBe(keys);
  expect(await store.keys.count("acme")).toBe(keys);
  expect(await mark()).not.toHaveProperty("unlisted");
});

test("what a server writes while it makes the lists is in them, and what it removes is not", async () => {
  const old = 2_000;
  const { redis, options, prefix, write, begin, mark } = await beginOld(0);
  const { store } = await openTestStore({ driver: "redis", redis: options });
  await write(0, old);
  // A command of the older release begins the store anew; the heartbeat of the server notices it.
  await begin();
  const isListed = async (): Promise<boolean> =>
    (await redis.command("EXISTS", `${prefix}store`)) === 0 && !("unlisted" in (await mark()));
  let added = 0;
  for (; added < 50 || !(await isListed()); added++) {
    const id = idOf(old + added);
    await store.keys.add(id, key(id, { account: added % 2 === 0 ? "acme" : "other" }));
    if (added < old) await store.keys.remove(idOf(added));
    await store.keys.change(idOf(old - 1), (record) => ({
      ...record,
      expiresAt: new Date(Date.UTC(2027, 0, 1, 0, 0, added)).toISOString(),
    }));
  }
  const names = (await redis.command("KEYS", `${prefix}keys:*`)) as string[];
  const stored = names.map((name) => name.slice(`${prefix}keys:`.length)).toSorted();
  expect(stored).toHaveLength(old);
  const entries = (await redis.command("ZRANGE", `${prefix}list:keys`, 0, -1)) as string[];
  // Entries without a record may remain; records without an entry may not.
  expect(stored.filter((id) => !entries.includes(id))).toEqual([]);
  const { records, damaged } = await store.keys.all();
  expect([records.length, damaged]).toEqual([old, []]);
  const owned = [await store.keys.of("acme"), await store.keys.of("other")];
  expect(owned.flatMap((listing) => listing.records)).toHaveLength(old);
});
