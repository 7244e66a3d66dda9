import { expect, test } from "vitest";
import { openTestStore, redisOptions, sharedRedis } from "../drivers.ts";

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
  const name = `${options.prefix}nodes`;
  const { store } = await openTestStore({ driver: "redis", redis: options });
  const [seconds] = (await redis.command("TIME")) as [string];
  await redis.command("ZADD", name, Number(seconds) * 1000 - 5_000, "silent");
  await expect.poll(() => store.status?.().nodes, soon).toBe(2);
  await redis.command("ZADD", name, Number(seconds) * 1000 - 10_500, "silent");
  await expect.poll(() => store.status?.().nodes, soon).toBe(1);
  expect(await redis.command("ZSCORE", name, "silent")).toBeNull();
});
