import { expect, test } from "vitest";
import { startSweep } from "../../../../src/services/webhooks/sweep.ts";
import { createTestOutbox } from "../setup.ts";
import { account, endpoint, key } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { createClock, day, hour } from "./clock.ts";
import { testRuntime } from "../../../support/runtime.ts";

test("runs soon after the start and once an hour: secrets, keys, endpoints without an account", async () => {
  const clock = createClock();
  const { store } = await openTestStore({ runtime: testRuntime({ now: clock.now }) });
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
    runtime: testRuntime({ now: clock.now }),
    wait: clock.wait,
    onNotice: (message) => notices.push(message),
    onError: (error) => errors.push(error),
  });
  await clock.pass(4999);
  expect(await store.endpoints.ids()).toHaveLength(3);
  await clock.pass(1);
  // Modules are loaded meanwhile, which takes real time.
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
  // No more sweeps run.
  expect(await queue.list({ type: "key.expiring", limit: 9 })).toHaveLength(2);
});

test("reports unreadable secrets once, and again only when they change", async () => {
  const clock = createClock();
  const { store } = await openTestStore({ runtime: testRuntime({ now: clock.now }) });
  await store.accounts.set("acme", account("acme"));
  const seal = (id: string) => endpoint(id.repeat(24), { secret: "sealed:v1:01234567:AAAA" });
  const open = (id: string) => endpoint(id.repeat(24));
  for (const id of ["1", "2"]) await store.endpoints.set(id.repeat(24), open(id));
  const notices: string[] = [];
  let rounds = 0;
  const sweep = startSweep({
    store,
    ...createTestOutbox(store, clock.now),
    runtime: testRuntime({ now: clock.now }),
    wait: (ms, work) => {
      rounds++;
      return clock.wait(ms, work);
    },
    onNotice: (message) => notices.push(message),
    onError: (error) => notices.push(String(error)),
  });
  const nextRound = async () => {
    const before = rounds;
    await clock.pass(hour);
    // A round ends by waiting for the next one; it may load modules meanwhile.
    await expect.poll(() => rounds, { timeout: 60_000 }).toBeGreaterThan(before);
  };
  await nextRound();
  expect(notices).toEqual([]);
  await store.endpoints.set("1".repeat(24), seal("1"));
  for (let n = 0; n < 3; n++) await nextRound();
  expect(notices).toEqual([expect.stringContaining("1 of 2 endpoints")]);
  await store.endpoints.set("2".repeat(24), seal("2"));
  for (let n = 0; n < 3; n++) await nextRound();
  expect(notices.slice(1)).toEqual([expect.stringContaining("2 of 2 endpoints")]);
  for (const id of ["1", "2"]) await store.endpoints.set(id.repeat(24), open(id));
  await nextRound();
  expect(notices).toHaveLength(2);
  await store.endpoints.set("1".repeat(24), seal("1"));
  await nextRound();
  expect(notices.slice(2)).toEqual([expect.stringContaining("1 of 2 endpoints")]);
  await sweep.stop();
});
