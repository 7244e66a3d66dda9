import { expect, test } from "vitest";
import { startSweep } from "../../../src/services/webhooks/sweep.ts";
import { createTestOutbox } from "../setup.ts";
import { account, endpoint, key, openTestStore } from "../storage/drivers.ts";
import { createClock, day, hour } from "./clock.ts";

test("looks soon after the start and once an hour: secrets, keys, endpoints that nobody owns", async () => {
  const clock = createClock();
  const { store } = await openTestStore({ now: clock.now });
  await store.accounts.set("acme", account("acme"));
  await store.endpoints.set("0".repeat(24), endpoint("0".repeat(24)));
  await store.endpoints.set("1".repeat(24), endpoint("1".repeat(24), { secret: "sealed:v1:01234567:AAAA" }));
  await store.endpoints.set("2".repeat(24), endpoint("2".repeat(24), { account: "gone" }));
  const created = new Date(clock.now()).toISOString();
  const expiresAt = new Date(clock.now() + 8 * day).toISOString();
  await store.keys.set("a".repeat(20), key("a".repeat(20), { createdAt: created, expiresAt }));
  const outbox = createTestOutbox(store, clock.now);
  const notices: string[] = [];
  const errors: unknown[] = [];
  const sweep = startSweep({
    store,
    ...outbox,
    now: clock.now,
    wait: clock.wait,
    onNotice: (message) => notices.push(message),
    onError: (error) => errors.push(error),
  });
  await clock.pass(4999);
  expect(await store.endpoints.ids()).toHaveLength(3);
  await clock.pass(1);
  // Modules are loaded meanwhile, which takes time of another kind.
  await expect.poll(() => store.endpoints.ids()).toHaveLength(2);
  expect(notices).toEqual([
    expect.stringMatching(/^The secrets of 1 of 3 endpoints are encrypted, .*not set/),
  ]);
  const queue = await store.deliveries();
  expect(await queue.list({ type: "key.expiring", limit: 9 })).toEqual([]);
  for (let n = 0; n < 30; n++) {
    await clock.pass(hour);
    await clock.rest();
  }
  // To each of the two endpoints once.
  await expect.poll(() => queue.list({ type: "key.expiring", limit: 9 })).toHaveLength(2);
  expect(errors).toEqual([]);
  await sweep.stop();
  await clock.pass(7 * day);
  // Nobody looks any more.
  expect(await queue.list({ type: "key.expiring", limit: 9 })).toHaveLength(2);
});
