import { expect, test } from "vitest";
import { createLive, type Live } from "../../../../src/services/events/live/live.ts";
import { withDeliveryEvents } from "../../../../src/operations/open-operator.ts";
import type { StoreOptions } from "../../../../src/storage/storage.ts";
import { withQueueEvents } from "../../../../src/services/webhooks/with-delivery-events.ts";
import { type DeliveryView, toDeliveryView } from "../../../../src/services/webhooks/delivery-view.ts";
import { createRandom, start } from "../../../unit/services/setup.ts";
import { drivers, optionsOf } from "../../storage/drivers.ts";
import { openTestStore } from "../../../support/store.ts";
import { testRuntime } from "../../../support/runtime.ts";

const random = createRandom();
const fail = (error: unknown): never => expect.unreachable(String(error));
const minute = 60_000;
const event = { id: `evt_${"0".repeat(36)}`, type: "webhook.test", account: "ci", body: "{}" };

async function open(options: Partial<StoreOptions> = {}) {
  const clock = { now: start };
  const now = () => clock.now;
  const live = createLive({ runtime: testRuntime({ random, report: fail }) });
  const { store } = await openTestStore({ runtime: testRuntime({ now }), ...options });
  const queue = await withDeliveryEvents(store, {
    live: async () => live,
    runtime: testRuntime({ now }),
  }).deliveries();
  const views: DeliveryView[] = [];
  const listen = (account?: string) => live.listen("delivery", account, (view) => views.push(view));
  const claim = async () => {
    const [found] = await queue.claim({ count: 1, leaseMs: minute });
    if (found === undefined) throw new Error("nothing is due");
    return found;
  };
  return { clock, now, live, store, queue, views, listen, claim };
}

test.each(drivers)("%s: each step of a delivery is published as it is stored", async (driver) => {
  // Redis has a clock of its own, and is read for the stored state.
  const { clock, queue, views, listen, claim } = await open({
    ...(await optionsOf(driver)),
    ...(driver === "redis" && { runtime: testRuntime({ now: Date.now }) }),
  });
  if (driver === "redis") clock.now = Date.now();
  listen("ci");
  const near = (view: DeliveryView | undefined) => ({ ...view, nextAt: null, endedAt: null });
  const last = async (id: string) => {
    const found = await queue.get(id);
    if (found === undefined) throw new Error("it is not there");
    expect(near(views.at(-1))).toEqual(near(toDeliveryView(found)));
    return views.at(-1);
  };
  const [added] = await queue.add(event, ["we_a"]);
  const id = added?.id ?? "";
  expect(await last(id)).toMatchObject({
    id,
    state: "waiting",
    attempts: 0,
    account: "ci",
    endpoint: "we_a",
  });
  const attempt = { number: 1, at: clock.now, durationMs: 5, outcome: "retry", status: 500 } as const;
  await queue.settle(await claim(), { attempt, state: "waiting", nextAt: clock.now - 1 });
  expect(await last(id)).toMatchObject({ state: "waiting", attempts: 1, endedAt: null });
  await queue.settle(await claim(), { attempt: { ...attempt, number: 2 }, state: "failed", reason: "No." });
  expect(await last(id)).toMatchObject({ state: "failed", attempts: 2, nextAt: null, reason: "No." });
  expect(views.at(-1)?.endedAt).not.toBeNull();
  await queue.redeliver(id);
  expect(await last(id)).toMatchObject({ state: "waiting", attempts: 0, endedAt: null, reason: null });
  await queue.settle(await claim(), { attempt: { ...attempt, outcome: "ok" }, state: "delivered" });
  expect(await last(id)).toMatchObject({ state: "delivered", attempts: 1 });
  expect(views).toHaveLength(5);
});

test.each(drivers)(
  "%s: waiting deliveries of a removed endpoint end, and each of them is published",
  async (driver) => {
    const { queue, views, listen } = await open({
      ...(await optionsOf(driver)),
      ...(driver === "redis" && { runtime: testRuntime({ now: Date.now }) }),
    });
    const id = (n: number): string => `evt_${String(n).padStart(36, "0")}`;
    for (let n = 0; n < 3; n++) await queue.add({ ...event, id: id(n) }, ["we_a", "we_b"]);
    listen();
    expect(await queue.fail("we_a", "The endpoint was removed.")).toBe(3);
    expect(views).toHaveLength(3);
    for (const view of views)
      expect(view).toMatchObject({
        endpoint: "we_a",
        state: "failed",
        reason: "The endpoint was removed.",
        nextAt: null,
      });
    expect(new Set(views.map((view) => view.id)).size).toBe(3);
    expect(await queue.fail("we_a", "Again.")).toBe(0);
    expect(views).toHaveLength(3);
  },
);

test("a claim that is released, or lost, changes nothing and publishes nothing", async () => {
  const { clock, queue, views, listen, claim } = await open();
  await queue.add(event, ["we_a"]);
  listen();
  await queue.settle(await claim(), { state: "waiting", nextAt: clock.now });
  const slow = await claim();
  clock.now += 2 * minute;
  await claim();
  expect(await queue.settle(slow, { state: "delivered" })).toBeUndefined();
  expect(views).toEqual([]);
});

test("a duplicate event is not published again, nor is a redelivery that matches nothing", async () => {
  const { queue, views, listen } = await open();
  listen();
  await queue.add(event, ["we_a", "we_b"]);
  await queue.add(event, ["we_a", "we_b"]);
  await queue.redeliver("dlv_nothing");
  expect(views.map(({ endpoint }) => endpoint)).toEqual(["we_a", "we_b"]);
});

test("without listeners nothing is created", async () => {
  const { store, now, listen, live, claim, queue } = await open();
  let asked = 0;
  const watched: Live = {
    ...live,
    hasSubscribers(topic, account) {
      asked += 1;
      return live.hasSubscribers(topic, account);
    },
    publish: () => expect.unreachable("published without listeners"),
  };
  const inner = await store.deliveries();
  const observed = withQueueEvents(
    { ...inner, list: () => expect.unreachable("listed without listeners") },
    { live: watched, runtime: testRuntime({ now }) },
  );
  listen("other");
  listen("other")();
  live.listen("event", undefined, () => {});
  await observed.add(event, ["we_a"]);
  const one = await claim();
  await observed.settle(one, {
    state: "waiting",
    nextAt: now(),
    attempt: { number: 1, at: 0, durationMs: 0, outcome: "retry" },
  });
  expect(asked).toBe(2);
  await queue.fail("we_a", "Removed.");
});
