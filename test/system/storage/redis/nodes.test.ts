import { expect, test } from "vitest";
import { redisOptions, sharedRedis } from "../drivers.ts";
import { openTestStore } from "../../../support/store.ts";

const soon = { timeout: 60_000 };

test("nodes count one another, except those that left, and commands never count", async () => {
  const redis = await sharedRedis();
  const options = redisOptions(redis.url);
  const { store: one } = await openTestStore({ driver: "redis", redis: options });
  const { store: other } = await openTestStore({ driver: "redis", redis: options });
  await openTestStore({ driver: "redis", redis: { ...options, isNode: false } });
  await expect.poll(() => one.status?.().nodes, soon).toBe(2);
  expect(other.status?.().nodes).toBe(2);
  await other.close();
  await expect.poll(() => one.status?.().nodes, soon).toBe(1);
});

test("a killed node is no longer counted after ten seconds of silence, by the clock of Redis", async () => {
  const redis = await sharedRedis();
  const options = redisOptions(redis.url);
  const name = `${options.prefix}servers:4`;
  const { store } = await openTestStore({ driver: "redis", redis: options });
  const [seconds] = (await redis.command("TIME")) as [string];
  await redis.command("ZADD", name, Number(seconds) * 1000 - 5_000, "silent");
  await expect.poll(() => store.status?.().nodes, soon).toBe(2);
  await redis.command("ZADD", name, Number(seconds) * 1000 - 10_500, "silent");
  await expect.poll(() => store.status?.().nodes, soon).toBe(1);
  expect(await redis.command("ZSCORE", name, "silent")).toBeNull();
});

test("nodes know the releases of one another, also of those that are too old to report theirs", async () => {
  const redis = await sharedRedis();
  const options = redisOptions(redis.url);
  const { store } = await openTestStore({ driver: "redis", redis: { ...options, version: "2.1.0" } });
  const { store: other } = await openTestStore({
    driver: "redis",
    redis: { ...options, version: "2.0.0-rc.1" },
  });
  const { store: old } = await openTestStore({ driver: "redis", redis: options });
  await expect.poll(() => store.status?.().nodes, soon).toBe(3);
  const releases = async (): Promise<unknown[]> =>
    ((await store.listNodes?.()) ?? []).map(({ version, isThis }) => [version, isThis]).toSorted();
  expect(await releases()).toEqual(
    [
      [null, false],
      ["2.0.0-rc.1", false],
      ["2.1.0", true],
    ].toSorted(),
  );
  const [{ id = "", seenAt = 0 } = {}] = (await store.listNodes?.()) ?? [];
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(seenAt).toBeGreaterThan(1_700_000_000_000);
  await Promise.all([other.close(), old.close()]);
  await expect.poll(releases, soon).toEqual([["2.1.0", true]]);
});
