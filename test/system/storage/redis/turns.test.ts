import { expect, test } from "vitest";
import { startSweep } from "../../../../src/services/webhooks/sweep.ts";
import type { Store } from "../../../../src/storage/storage.ts";
import { account, endpoint } from "../../../support/records.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { openTestStore } from "../../../support/store.ts";
import { createTestOutbox } from "../../../unit/services/setup.ts";
import { createClock, hour } from "../../../unit/services/webhooks/clock.ts";
import { redisOptions, sharedRedis } from "../drivers.ts";

const soon = { timeout: 60_000 };

async function openTwo() {
  const redis = await sharedRedis();
  const options = redisOptions(redis.url);
  const open = async (): Promise<Store> => (await openTestStore({ driver: "redis", redis: options })).store;
  return { one: await open(), other: await open(), redis, turn: `${options.prefix}turn:sweep` };
}

test("one node has the turn of a task until its lease ends, and each task has its own", async () => {
  const { one, other, redis, turn } = await openTwo();
  expect(await one.takeTurn?.("sweep", hour)).toBe(true);
  expect([await one.takeTurn?.("sweep", hour), await other.takeTurn?.("sweep", hour)]).toEqual([
    false,
    false,
  ]);
  expect(await other.takeTurn?.("inboxes", hour)).toBe(true);
  // It ends before the next timer of the same period can fire.
  const left = Number(await redis.command("PTTL", turn));
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(hour);
});

test("a sweep is skipped while another node has the turn, and made when that node has died", async () => {
  const { one, other, redis, turn } = await openTwo();
  await one.accounts.add("acme", account("acme"));
  const orphan = async (digit: string): Promise<void> => {
    await one.endpoints.set(digit.repeat(24), endpoint(digit.repeat(24), { account: "gone" }));
  };
  const errors: unknown[] = [];
  const notices: string[] = [];
  const start = (store: Store) => {
    const clock = createClock();
    let rounds = 0;
    const sweep = startSweep({
      store,
      ...createTestOutbox(store, clock.now),
      runtime: testRuntime({ now: clock.now }),
      wait(ms, work) {
        rounds += 1;
        return clock.wait(ms, work);
      },
      onNotice: (message) => notices.push(message),
      onError: (error) => errors.push(error),
    });
    const next = async (): Promise<void> => {
      const before = rounds;
      await clock.pass(hour);
      // A round ends by waiting for the next one.
      await expect.poll(() => rounds, soon).toBeGreaterThan(before);
    };
    return { next, stop: sweep.stop };
  };
  const [first, second] = [start(one), start(other)];
  await orphan("1");
  await first.next();
  expect(await other.endpoints.ids()).toEqual([]);
  await orphan("2");
  // Each node has a key for secrets of its own, which it compares with the records itself.
  await one.endpoints.set("3".repeat(24), endpoint("3".repeat(24), { secret: "sealed:v1:01234567:AAAA" }));
  await second.next();
  expect(await other.endpoints.ids()).toEqual(["2".repeat(24), "3".repeat(24)]);
  expect(notices).toEqual([expect.stringContaining("1 of 2 endpoints")]);
  await first.stop();
  // The holder ends without giving the turn back, as after kill -9.
  await one.close();
  await second.next();
  expect(await other.endpoints.count()).toBe(2);
  await redis.command("PEXPIRE", turn, 1);
  await expect.poll(() => redis.command("EXISTS", turn), soon).toBe(0);
  await second.next();
  expect(await other.endpoints.ids()).toEqual(["3".repeat(24)]);
  expect(errors).toEqual([]);
  await second.stop();
});
