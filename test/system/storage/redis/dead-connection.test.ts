import { expect, onTestFinished, test } from "vitest";
import { redisOptions } from "../drivers.ts";
import { openTestStore } from "../../../support/store.ts";
import { startProxy } from "../redis-proxy.ts";
import { startRedis } from "../redis-server.ts";

test("a connection that a firewall dropped is given up, and another one is opened", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const proxy = await startProxy(() => redis.port);
  onTestFinished(() => proxy.close());
  const { store } = await openTestStore({ driver: "redis", redis: redisOptions(proxy.url) });
  const ask = async (): Promise<number> => (await store.counters.consume("account:acme", 1, 1_000)).used;
  expect(await ask()).toBe(1);
  // Nothing is closed, and no answer ever arrives on it again.
  proxy.forget();
  let asked = 1;
  for (; store.status?.().up === true; asked++) await ask();
  await ask();
  asked++;
  await expect.poll(() => store.status?.().up).toBe(true);
  // What was counted locally is counted there now.
  await expect.poll(async () => (await store.counters.peek("account:acme"))?.used).toBe(asked);
});
