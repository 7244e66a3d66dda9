import { describe, expect, test } from "vitest";
import { createLimitNotes } from "../../../../src/services/events/limit-notes.ts";
import { createLimitWatch } from "../../../../src/services/events/limit-watch.ts";
import type { Publisher } from "../../../../src/services/events/publish.ts";
import type { StoredEvent } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { StoreError } from "../../../../src/storage/errors.ts";
import { removeOrphans } from "../../../../src/services/webhooks/sweep.ts";
import { noticeOf, publishExpiringKeys } from "../../../../src/services/events/expiring.ts";
import { createOutbox } from "../../../../src/services/webhooks/outbox.ts";
import { createRandom, createTestOperator, createTestOutbox, day, refusalOf, start } from "../setup.ts";
import { account, inbox, key } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { checkEvent } from "./check-event.ts";
import { testRuntime } from "../../../support/runtime.ts";

const hour = 3_600_000;

async function openDesk() {
  const clock = { now: start };
  const now = () => clock.now;
  const { store } = await openTestStore({ runtime: testRuntime({ now }) });
  const outbox = createTestOutbox(store, now);
  const random = createRandom();
  const admin = createTestOperator({
    store,
    outbox,
    runtime: testRuntime({ now, random }),
  });
  const queue = await store.deliveries();

  /** Every event published since the last call, in order, each checked against its schema. */
  const seen = new Set<string>();
  async function events(): Promise<{ type: string; account: string; data: Record<string, unknown> }[]> {
    const found: { type: string; account: string; data: Record<string, unknown> }[] = [];
    for (const { id, event } of (await queue.list({ limit: 1000 })).toReversed()) {
      if (seen.has(event)) continue;
      seen.add(event);
      const body = (await queue.get(id))?.body ?? "";
      await checkEvent(body);
      const { type, account: name, data } = JSON.parse(body) as (typeof found)[number];
      found.push({ type, account: name, data });
    }
    return found;
  }

  async function call<View = { id: string; key: string }>(operation: string, args: object): Promise<View> {
    clock.now += 10;
    return (await admin.perform(operation, args)) as View;
  }
  return { clock, now, store, outbox, queue, events, call };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

async function addEndpoint({ call }: Desk, fields: object = {}): Promise<string> {
  return (await call("webhooks.add", { account: "ci", url: "http://127.0.0.1:9/", ...fields })).id;
}

describe("operations of the operator", () => {
  test("are published to the endpoints of the account, in order, without secrets", async () => {
    const desk = await openDesk();
    const { call, events, queue } = desk;
    await call("accounts.create", { name: "ci", plan: "pro" });
    await addEndpoint(desk);
    const issued = await call("keys.issue", { account: "ci", name: "gitlab", expires: "90d" });
    const rotated = await call("keys.rotate", { id: issued.id, grace: "24h" });
    await call("keys.revoke", { id: rotated.id, reason: "leaked" });
    await call("keys.revoke", { id: rotated.id });
    await call("accounts.set", { name: "ci", plan: "team", limit: 20_000 });
    await call("accounts.set", { name: "ci", plan: "team" });
    await call("accounts.disable", { name: "ci" });
    await call("accounts.disable", { name: "ci" });
    await call("accounts.enable", { name: "ci" });
    const reported = await events();
    expect(reported.map(({ type, data }) => [type, data["change"]])).toEqual([
      ["key.issued", undefined],
      ["key.rotated", undefined],
      ["key.revoked", undefined],
      ["account.updated", "changed"],
      ["account.updated", "disabled"],
      ["account.updated", "enabled"],
    ]);
    expect(reported[0]?.data).toMatchObject({ key: { id: issued.id, name: "gitlab" } });
    expect(reported[1]?.data).toMatchObject({
      key: { id: rotated.id },
      previous: { id: issued.id, expiresAt: new Date(start + 40 + day).toISOString() },
    });
    expect(reported[2]?.data).toMatchObject({ key: { id: rotated.id }, reason: "leaked" });
    expect(reported[3]?.data).toMatchObject({ account: { plan: "team", limit: 20_000 } });
    const all = await Promise.all((await queue.list({ limit: 100 })).map(({ id }) => queue.get(id)));
    const text = JSON.stringify(all);
    for (const secret of [issued.key.slice(13), rotated.key.slice(13), "hash"])
      expect(text).not.toContain(secret);
  });

  test("a rotation without grace publishes that the old key has ended", async () => {
    const desk = await openDesk();
    await desk.call("accounts.create", { name: "ci", plan: "pro" });
    await addEndpoint(desk, { events: ["key.rotated"] });
    const { id } = await desk.call("keys.issue", { account: "ci" });
    await desk.call("keys.rotate", { id });
    expect(await desk.events()).toMatchObject([
      {
        data: {
          key: { expiresAt: null },
          previous: { id, expiresAt: new Date(desk.clock.now).toISOString() },
        },
      },
    ]);
  });

  test.each([
    ["keys.revokeAll", { account: "ci", reason: "leaked" }, ["key.revoked", "key.revoked"]],
    [
      "accounts.set",
      { name: "ci", plan: "free", revokeKeys: true },
      ["account.updated", "key.revoked", "key.revoked"],
    ],
    ["accounts.delete", { name: "ci", revokeKeys: true }, ["account.updated", "key.revoked", "key.revoked"]],
  ])("%s publishes an event for each key", async (operation, args, types) => {
    const desk = await openDesk();
    await desk.call("accounts.create", { name: "ci", plan: "pro" });
    await desk.call("keys.issue", { account: "ci" });
    await desk.call("keys.issue", { account: "ci" });
    await addEndpoint(desk);
    await desk.call(operation, args);
    // Published in the same millisecond: their ids have no order then.
    expect((await desk.events()).map(({ type }) => type).toSorted()).toEqual(types);
  });

  test("a refused operation publishes nothing", async () => {
    const desk = await openDesk();
    await desk.call("accounts.create", { name: "ci", plan: "pro" });
    await addEndpoint(desk);
    for (const [operation, args] of [
      ["keys.rotate", { id: "key_00000000000000000000" }],
      ["accounts.set", { name: "ci", plan: "pro", limit: 5 }],
      ["accounts.create", { name: "ci", plan: "pro" }],
    ] as const)
      await refusalOf(() => desk.call(operation, args));
    expect(await desk.events()).toEqual([]);
  });

  test("only endpoints that subscribe to the type and are not disabled get an event; paused ones do", async () => {
    const desk = await openDesk();
    const { call, queue, outbox } = desk;
    await call("accounts.create", { name: "ci", plan: "pro" });
    await call("accounts.create", { name: "other", plan: "pro" });
    const all = await addEndpoint(desk);
    const keys = await addEndpoint(desk, { events: ["key.issued", "key.revoked"] });
    const paused = await addEndpoint(desk, { events: ["key.issued"] });
    const disabled = await addEndpoint(desk);
    await addEndpoint(desk, { events: ["limit.warning"] });
    await addEndpoint(desk, { account: "other" });
    await call("webhooks.pause", { id: paused });
    await outbox.endpoints.disable(disabled, "gone");
    await call("keys.issue", { account: "ci" });
    const reported = (await queue.list({ type: "key.issued", limit: 9 })).map(({ endpoint }) => endpoint);
    expect(reported.toSorted()).toEqual([all, keys, paused].toSorted());
    expect(new Set((await queue.list({ type: "key.issued", limit: 9 })).map(({ event }) => event)).size).toBe(
      1,
    );
  });

  test("without an endpoint the queue is not opened", async () => {
    const clock = { now: start };
    const { store } = await openTestStore({ runtime: testRuntime({ now: () => clock.now }) });
    const closed = { ...store, deliveries: () => expect.unreachable("opened") };
    const outbox = createTestOutbox(closed, () => clock.now);
    expect(await outbox.publisher.publish("webhook.test", "ci", { endpoint: "", message: "" })).toEqual({
      deliveries: [],
    });
  });

  test("without anything to send nothing is stored", async () => {
    const desk = await openDesk();
    await desk.call("accounts.create", { name: "ci", plan: "pro" });
    await addEndpoint(desk);
    const silent = createTestOutbox(desk.store, desk.now, { enabled: false });
    const data = { endpoint: "", message: "" };
    expect(await silent.publisher.publish("webhook.test", "ci", data)).toEqual({ deliveries: [] });
    expect(await desk.events()).toEqual([]);
  });

  test("a queue that fails does not fail the operation, and is reported", async () => {
    const desk = await openDesk();
    await desk.call("accounts.create", { name: "ci", plan: "pro" });
    await addEndpoint(desk);
    const reported: unknown[] = [];
    const full = new StoreError("write", "The disk is full.");
    const { now, store } = desk;
    const outbox = createOutbox({
      store: {
        ...store,
        async deliveries() {
          return { ...(await store.deliveries()), add: () => Promise.reject(full) };
        },
      },
      options: { enabled: true, allowCidrs: [], encryptionKey: "" },
      runtime: testRuntime({ now, random: createRandom() }),
      onError: (...about) => reported.push(about),
    });
    const random = createRandom();
    const admin = createTestOperator({
      store,
      outbox,
      runtime: testRuntime({ now, random }),
    });
    const { id } = (await admin.call("keys.issue", { account: "ci" })) as { id: string };
    expect(await store.keys.get(id.slice(4))).toBeDefined();
    expect(reported).toEqual([[full, "key.issued", "ci"]]);
  });
});

describe("an account that is deleted", () => {
  test("publishes its deletion; its endpoints are removed once that is sent, its inboxes at once", async () => {
    const desk = await openDesk();
    const { call, store, outbox, queue } = desk;
    await call("accounts.create", { name: "ci", plan: "pro" });
    await call("accounts.create", { name: "other", plan: "pro" });
    await addEndpoint(desk);
    const others = await addEndpoint(desk, { account: "other" });
    await store.inboxes.set("1".repeat(32), inbox("1".repeat(32), { account: "ci" }));
    await store.inboxes.set("2".repeat(32), inbox("2".repeat(32), { account: "other" }));
    await call("accounts.delete", { name: "ci" });
    expect(await store.inboxes.ids()).toEqual(["2".repeat(32)]);
    expect(await desk.events()).toMatchObject([{ type: "account.updated", data: { change: "deleted" } }]);
    await removeOrphans({ store, ...outbox });
    expect(await store.endpoints.ids()).toHaveLength(2);
    const [claim] = await queue.claim({ count: 1, leaseMs: 1000 });
    await queue.settle(claim as NonNullable<typeof claim>, { state: "delivered" });
    await removeOrphans({ store, ...outbox });
    expect(await store.endpoints.ids()).toEqual([others.slice(3)]);
  });

  test("leaves nothing to a later account of the same name", async () => {
    const desk = await openDesk();
    const { call, store, queue } = desk;
    await call("accounts.create", { name: "ci", plan: "pro" });
    await addEndpoint(desk);
    await call("accounts.delete", { name: "ci" });
    await call("accounts.create", { name: "ci", plan: "pro" });
    await call("keys.issue", { account: "ci" });
    expect(await store.endpoints.ids()).toEqual([]);
    expect(await queue.list({ limit: 9 })).toMatchObject([{ type: "account.updated", state: "failed" }]);
  });
});

/** A publisher that remembers which notices it has published. */
function createFake() {
  const reported: string[] = [];
  const published: { type: string; data: unknown }[] = [];
  const names = new Map<string, number>();
  const publisher: Publisher = {
    async publish(type, name, data, { once } = {}) {
      if (once !== undefined && names.has(once.name)) return { deliveries: [] };
      if (once !== undefined) names.set(once.name, once.until);
      reported.push(`${type} ${name}`);
      published.push({ type, data });
      return { deliveries: [], event: {} as StoredEvent };
    },
  };
  return { publisher, reported, published, names };
}

describe("a quota that is used up", () => {
  const quota = (used: number, changes: object = {}) => ({
    limit: 1000,
    used,
    remaining: 1000 - used,
    resetAt: start + hour,
    ...changes,
  });

  test("publishes a warning at 80 %, and an event at the first refusal, once a window", () => {
    const { publisher, reported, published } = createFake();
    const { note } = createLimitWatch(publisher);
    note({ account: "ci" }, quota(799), true);
    expect(reported).toEqual([]);
    note({ account: "ci" }, quota(800), true);
    for (let used = 801; used <= 1000; used++) note({ account: "ci" }, quota(used), true);
    expect(reported).toEqual(["limit.warning ci"]);
    for (let n = 0; n < 5; n++) note({ account: "ci" }, quota(1000), false);
    expect(reported).toEqual(["limit.warning ci", "limit.reached ci"]);
    expect(published[0]?.data).toEqual({ limit: 1000, used: 800, resetAt: "2026-11-21T13:00:00.000Z" });
    note({ account: "ci" }, quota(900, { resetAt: start + 2 * hour }), true);
    note({ account: "other" }, quota(900), true);
    expect(reported.slice(2)).toEqual(["limit.warning ci", "limit.warning other"]);
  });

  test("a call that costs more than what is left is a refusal too", () => {
    const { publisher, reported } = createFake();
    createLimitWatch(publisher).note({ account: "ci" }, quota(500), false);
    expect(reported).toEqual(["limit.reached ci"]);
  });

  test("ends of a window that differ by a moment belong to the same window, on one node and on another", () => {
    const { publisher, reported } = createFake();
    const nodes = [createLimitWatch(publisher), createLimitWatch(publisher)];
    for (const ms of [0, 1, -1, 900])
      for (const { note } of nodes)
        note({ account: "ci" }, quota(850, { resetAt: start + hour + 5000 + ms }), true);
    expect(reported).toEqual(["limit.warning ci"]);
  });
});

describe("keys that expire", () => {
  const at = (ms: number): string => new Date(ms).toISOString();
  const keyOf = (lifeDays: number, changes: object = {}) =>
    key("a".repeat(20), { createdAt: at(start), expiresAt: at(start + lifeDays * day), ...changes });

  test.each([
    [90, 0, undefined],
    [90, 82.9, undefined],
    [90, 83, 7],
    [90, 88.9, 7],
    [90, 89, 1],
    [90, 89.99, 1],
    [90, 90, undefined],
    [7, 1, undefined],
    [7, 6.5, 1],
    [1, 0.5, undefined],
  ])("of %s days after %s: %s", (life, after, notice) => {
    expect(noticeOf(keyOf(life), start + after * day)).toBe(notice);
  });

  test("revoked, rotated and unlimited keys publish nothing", () => {
    const time = start + 85 * day;
    expect(noticeOf(keyOf(90, { revokedAt: at(start) }), time)).toBeUndefined();
    expect(noticeOf(keyOf(90, { rotatedTo: `key_${"b".repeat(20)}` }), time)).toBeUndefined();
    expect(noticeOf(key("a".repeat(20)), time)).toBeUndefined();
  });

  test("each notice is published once, however often and by whichever node it is found", async () => {
    const { store } = await openTestStore();
    await store.accounts.set("acme", account("acme"));
    const record = keyOf(90);
    await store.keys.set("a".repeat(20), record);
    const { publisher, published, names } = createFake();
    for (let hours = 0; hours < 90 * 24; hours += 1)
      await publishExpiringKeys({
        store,
        publisher,
        runtime: testRuntime({ now: () => start + hours * hour }),
      });
    expect(published).toMatchObject([
      { type: "key.expiring", data: { days: 7, key: { id: record.id } } },
      { type: "key.expiring", data: { days: 1 } },
    ]);
    expect([...names.values()]).toEqual([start + 90 * day, start + 90 * day]);
  });
});

describe("notices of an admission", () => {
  const quota = { limit: 1000, used: 900, remaining: 100, resetAt: start + hour };
  const principal = { kind: "key", account: "ci" } as const;

  test("load the publisher once and publish once, however many requests arrive at the same time", async () => {
    const { publisher, reported } = createFake();
    let opened = 0;
    const note = createLimitNotes({
      enabled: true,
      async publisher() {
        opened++;
        return publisher;
      },
      runtime: testRuntime({ report: (error) => expect.unreachable(String(error)) }),
    });
    for (let n = 0; n < 50; n++) note(principal, quota, n < 25);
    await expect.poll(() => reported).toEqual(["limit.warning ci", "limit.reached ci"]);
    const before = opened;
    for (let n = 0; n < 50; n++) note(principal, quota, false);
    expect(opened).toBe(before);
    expect(reported).toHaveLength(2);
  });

  test("ignore callers without an account, windows of sessions, and servers with webhooks disabled", () => {
    const publisher = () => expect.unreachable("opened");
    const onError = (error: unknown) => expect.unreachable(String(error));
    createLimitNotes({ enabled: true, publisher, runtime: testRuntime({ report: onError }) })(
      { kind: "anonymous", ip: "1.2.3.4" },
      quota,
      false,
    );
    createLimitNotes({ enabled: true, publisher, runtime: testRuntime({ report: onError }) })(
      { kind: "session", account: "ci", sessionId: "ses_00000000000000000000" },
      quota,
      false,
    );
    createLimitNotes({ enabled: false, publisher, runtime: testRuntime({ report: onError }) })(
      principal,
      quota,
      false,
    );
  });

  test("a publisher that cannot be loaded is a fault of the server, not of the caller", async () => {
    const errors: unknown[] = [];
    const note = createLimitNotes({
      enabled: true,
      publisher: () => Promise.reject(new Error("no memory")),
      runtime: testRuntime({ report: (error) => errors.push(error) }),
    });
    note(principal, quota, true);
    await expect.poll(() => errors).toHaveLength(1);
  });
});
