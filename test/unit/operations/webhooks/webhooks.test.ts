import { describe, expect, test } from "vitest";
import type { OperationName } from "../../../../src/operations/index.ts";
import { createAdmin } from "../../../../src/operations/admin.ts";
import type { Attempt, DeliveryQueue } from "../../../../src/storage/deliveries/delivery-queue.ts";
import type { NewSecretView } from "../../../../src/operations/webhooks/view.ts";
import type { DeliveryView } from "../../../../src/services/webhooks/delivery-view.ts";
import { testRuntime } from "../../../support/runtime.ts";
import {
  createRandom,
  createServices,
  createTestOperator,
  createTestOutbox,
  refusalOf,
  start,
} from "../../services/setup.ts";

const hour = 3_600_000;
const url = "http://127.0.0.1:9/hooks/T0KEN?key=s3cret";
const ops = { actor: "cli:ops", from: "here pid 1" };

async function openDesk(encryptionKey = "") {
  const services = await createServices();
  const { clock, store } = services;
  const outbox = createTestOutbox(store, () => clock.now, { encryptionKey });
  const random = createRandom();
  const now = (): number => clock.now;
  const admin = createTestOperator({
    store,
    outbox,
    runtime: testRuntime({ now, random }),
  });
  const call = async <View = Record<string, unknown>>(operation: OperationName, args: object = {}) =>
    (await admin.perform(operation, args, ops)) as View;
  await call("accounts.create", { name: "ci", plan: "pro" });
  await call("accounts.create", { name: "other", plan: "pro" });
  const add = (fields: object = {}) => call<NewSecretView>("webhooks.add", { account: "ci", url, ...fields });
  return { ...services, outbox, admin, call, add, queue: await store.deliveries() };
}

/** Claims what is due, and fails it for good. */
async function failAll(queue: DeliveryQueue, at: number): Promise<void> {
  const attempt: Attempt = { number: 1, at, durationMs: 12, outcome: "refused", status: 404, excerpt: "no" };
  for (const claim of await queue.claim({ count: 100, leaseMs: 1000 }))
    await queue.settle(claim, { attempt, state: "failed", reason: "No." });
}

describe("endpoints", () => {
  test("the secret is in the answers that create it, and masked in all others", async () => {
    const { call, add } = await openDesk();
    const made = await add();
    expect(made.secret).toMatch(/^whsec_.{44}$/);
    const masked = `whsec_…${made.secret.slice(-4)}`;
    const view = { ...made, secret: masked };
    expect(await call("webhooks.list")).toEqual({ items: [view] });
    expect(await call("webhooks.list", { account: "other" })).toEqual({ items: [] });
    expect(await call("webhooks.show", { id: made.id })).toEqual({
      ...view,
      failures: 0,
      failingSince: null,
    });
    expect(await call("webhooks.pause", { id: made.id })).toEqual({ ...view, state: "paused" });
    expect(await call("webhooks.resume", { id: made.id })).toEqual(view);
    const rotated = await call<NewSecretView>("webhooks.rotate", { id: made.id });
    expect(rotated.secret).not.toBe(made.secret);
    expect(rotated.previousUntil).toBe(new Date(start + 24 * hour).toISOString());
    expect(await call("webhooks.remove", { id: made.id })).toMatchObject({
      secret: `whsec_…${rotated.secret.slice(-4)}`,
    });
    expect(await call("webhooks.list")).toEqual({ items: [] });
  });

  test("a secret that cannot be read is null", async () => {
    const { add, store, clock } = await openDesk("ab".repeat(32));
    const { id } = await add();
    const services = await createServices();
    const outbox = createTestOutbox(store, () => clock.now);
    const admin = createAdmin({ ...services, store, outbox, runtime: testRuntime({ now: () => clock.now }) });
    expect(await admin.call("webhooks.show", { id })).toMatchObject({ id, secret: null });
  });

  test("every change is in the audit trail, without the secret and without the path of the URL", async () => {
    const { call, add, store } = await openDesk();
    const made = await add({ events: ["key.issued"], description: "the bot" });
    await call("webhooks.pause", { id: made.id });
    await call("webhooks.resume", { id: made.id });
    const rotated = await call<NewSecretView>("webhooks.rotate", { id: made.id });
    await refusalOf(() => call("webhooks.pause", { id: `we_${"0".repeat(24)}` }));
    await call("webhooks.list");
    await call("webhooks.deliveries");
    await call("webhooks.remove", { id: made.id });
    const { items } = await call<{ items: Record<string, unknown>[] }>("audit.list");
    const delivered = items
      .slice(2)
      .map(({ act, account, target, result, detail }) => ({ act, account, target, result, detail }));
    expect(delivered).toMatchObject([
      {
        act: "webhooks.add",
        account: "ci",
        target: made.id,
        result: "done",
        detail: { origin: { before: null, after: "http://127.0.0.1:9" }, description: { after: "the bot" } },
      },
      { act: "webhooks.pause", detail: { state: { before: "active", after: "paused" } } },
      { act: "webhooks.resume", detail: { state: { before: "paused", after: "active" } } },
      { act: "webhooks.rotate", target: made.id, detail: { previousUntil: { before: null } } },
      { act: "webhooks.pause", account: null, target: `we_${"0".repeat(24)}`, result: "not_found" },
      { act: "webhooks.remove", account: "ci", detail: { state: { before: "active", after: null } } },
    ]);
    let trail = "";
    for await (const { bytes } of (await store.audit()).read()) trail += Buffer.from(bytes).toString();
    for (const secret of [made.secret.slice(6), rotated.secret.slice(6), "whsec_", "T0KEN", "s3cret"])
      expect(trail).not.toContain(secret);
  });

  test.each([
    ["webhooks.add", { account: "ci" }],
    ["webhooks.add", { account: "ci", url, method: "GET" }],
    ["webhooks.add", { account: "ci", url, secret: "whsec_mine" }],
    ["webhooks.show", {}],
    ["webhooks.rotate", { id: "we_1", grace: "soon" }],
    ["webhooks.deliveries", { state: "lost" }],
    ["webhooks.deliveries", { limit: 0 }],
    ["webhooks.deliveries", { since: "tomorrow" }],
    ["webhooks.recover", { id: "we_1" }],
  ] as const)("%s of %j is refused", async (operation, args) => {
    const { call } = await openDesk();
    const { code } = await refusalOf(() => call(operation, args));
    expect(["invalid_input", "not_found"]).toContain(code);
  });
});

describe("deliveries", () => {
  test("are listed by state, newest first, and shown with their attempts", async () => {
    const { call, add, queue, clock } = await openDesk();
    const one = await add();
    clock.now += 1000;
    const { id: two } = await add({ account: "other", events: ["key.revoked"] });
    for (const name of ["ci", "other"]) {
      clock.now += 1000;
      const { id } = await call<{ id: string }>("keys.issue", { account: name });
      clock.now += 1000;
      await call("keys.revoke", { id });
    }
    await failAll(queue, clock.now);
    clock.now += hour;
    await call("keys.issue", { account: "ci" });
    const typesOf = async (query: object = {}): Promise<string[]> =>
      (await call<{ items: DeliveryView[] }>("webhooks.deliveries", query)).items.map(
        ({ type, account }) => `${type} ${account}`,
      );
    const all = ["key.issued ci", "key.revoked other", "key.revoked ci", "key.issued ci"];
    expect(await typesOf()).toEqual(all);
    expect(await typesOf({ limit: 1 })).toEqual(all.slice(0, 1));
    expect(await typesOf({ since: "30m" })).toEqual(all.slice(0, 1));
    expect(await typesOf({ state: "waiting" })).toEqual(all.slice(0, 1));
    expect(await typesOf({ state: "failed" })).toEqual(all.slice(1));
    expect(await typesOf({ endpoint: two })).toEqual(["key.revoked other"]);
    expect(await typesOf({ account: "other" })).toEqual(["key.revoked other"]);
    expect(await typesOf({ type: "key.revoked" })).toEqual(["key.revoked other", "key.revoked ci"]);
    const { items } = await call<{ items: DeliveryView[] }>("webhooks.deliveries", {
      endpoint: one.id,
      state: "failed",
    });
    const [failed] = items as [DeliveryView];
    expect(await typesOf({ event: failed.event })).toHaveLength(1);
    const detail = await call("webhooks.delivery", { id: failed.id });
    expect(detail).toEqual({
      ...failed,
      log: [
        {
          number: 1,
          at: expect.stringMatching(/^2026-.*Z$/),
          durationMs: 12,
          outcome: "refused",
          status: 404,
          error: null,
          excerpt: "no",
          // Without those that the secret makes.
          headers: [
            { name: "content-type", value: "application/json" },
            { name: "x-event-id", value: failed.event },
            { name: "x-event-type", value: "key.revoked" },
            { name: "x-delivery-id", value: failed.id },
            { name: "x-attempt", value: "1" },
            { name: "webhook-id", value: failed.event },
            { name: "webhook-timestamp", value: expect.stringMatching(/^\d{10}$/) },
          ],
        },
      ],
      body: expect.stringContaining(`"id":"${failed.event}"`),
    });
    expect(failed).toMatchObject({
      state: "failed",
      attempts: 1,
      reason: "No.",
      nextAt: null,
      endpoint: one.id,
    });
  });

  test("a mistyped filter is refused, and one without matches is not", async () => {
    const { call, add } = await openDesk();
    await add();
    await call("keys.issue", { account: "ci" });
    const wrong = async (query: object, operation: OperationName = "webhooks.deliveries") =>
      (await refusalOf(() => call(operation, query))).message;
    expect(await wrong({ type: "key.isued" })).toMatch(/Did you mean key\.issued\?$/);
    expect(await wrong({ endpoint: "dlv_019dd9e0-7c80-7a3b-8c2f-5b9e1d4a6f70" })).toMatch(/we_/);
    expect(await wrong({ event: "key.issued" })).toMatch(/evt_/);
    expect(await wrong({ account: "cii" })).toMatch(/Did you mean ci\?$/);
    expect(await wrong({ account: "cii" }, "webhooks.list")).toMatch(/Did you mean ci\?$/);
    for (const query of [
      { type: "key.revoked" },
      { endpoint: "we_0123456789abcdef01234567" },
      { event: "evt_019dd9e0-7c80-7a3b-8c2f-5b9e1d4a6f70" },
      { account: "other" },
    ]) {
      expect(await call("webhooks.deliveries", query)).toEqual({ items: [] });
    }
    // Deliveries of a deleted account are still listed.
    await call("accounts.delete", { name: "ci", revokeKeys: true });
    const { items } = await call<{ items: DeliveryView[] }>("webhooks.deliveries", { account: "ci" });
    expect(items.length).toBeGreaterThan(1);
  });

  test("one is redelivered, and all that have failed since a time", async () => {
    const { call, add, queue, clock } = await openDesk();
    const { id: endpoint } = await add();
    const { id: other } = await add();
    for (let n = 0; n < 70; n++) {
      clock.now += 60_000;
      await call("keys.issue", { account: "ci" });
      await failAll(queue, clock.now);
    }
    const { items } = await call<{ items: DeliveryView[] }>("webhooks.deliveries", { endpoint, limit: 1 });
    const [{ id }] = items as [DeliveryView];
    expect(await call("webhooks.redeliver", { id })).toMatchObject({ id, state: "waiting", attempts: 0 });
    expect(await call("webhooks.recover", { id: endpoint, since: "1h" })).toEqual({
      endpoint,
      redelivered: 60,
      more: false,
    });
    const waiting = await queue.list({ state: "waiting", limit: 100 });
    expect(waiting).toHaveLength(61);
    expect(new Set(waiting.map((one) => one.endpoint))).toEqual(new Set([endpoint]));
    expect(await call("webhooks.recover", { id: other, since: "1d" })).toMatchObject({ redelivered: 70 });
    expect(await call("webhooks.recover", { id: other, since: "1d" })).toMatchObject({ redelivered: 0 });
  });

  test("a missing delivery, or one of an endpoint that receives nothing, is refused with what to do", async () => {
    const { call, add, queue, clock, outbox } = await openDesk();
    const { id: endpoint } = await add();
    await call("keys.issue", { account: "ci" });
    await failAll(queue, clock.now);
    const [delivery] = await queue.list({ limit: 1 });
    const id = delivery?.id ?? "";
    await outbox.endpoints.disable(endpoint, "failing");
    for (const [operation, args] of [
      ["webhooks.redeliver", { id }],
      ["webhooks.recover", { id: endpoint, since: "1h" }],
      ["webhooks.test", { id: endpoint }],
    ] as const) {
      const refusal = await refusalOf(() => call(operation, args));
      expect(refusal.message).toBe(
        `The endpoint ${endpoint} is disabled: nothing is sent to it. Resume it with penknife admin webhooks resume ${endpoint}, or resumeWebhookEndpoint over GraphQL.`,
      );
    }
    await call("webhooks.remove", { id: endpoint });
    expect((await refusalOf(() => call("webhooks.redeliver", { id }))).code).toBe("not_found");
    for (const name of ["dlv_00000000-0000-7000-8000-000000000000", "whsec_abc", ""])
      expect((await refusalOf(() => call("webhooks.delivery", { id: name }))).code).toBe("not_found");
    expect((await refusalOf(() => call("webhooks.delivery", { id: "whsec_abc" }))).message).not.toContain(
      "abc",
    );
  });

  test("a test goes to one endpoint, whatever events it subscribes to", async () => {
    const { call, add, queue } = await openDesk();
    const { id } = await add({ events: ["limit.reached"] });
    await add();
    const tested = await call("webhooks.test", { id });
    const found = await queue.list({ limit: 9 });
    expect(found).toMatchObject([{ type: "webhook.test", endpoint: id, account: "ci" }]);
    expect(tested).toEqual({ event: found[0]?.event, delivery: found[0]?.id, sending: "nowhere" });
  });

  test("with webhooks disabled nothing is sent, and adding an endpoint gives a notice", async () => {
    const services = await openDesk();
    const { id, ...made } = await services.add();
    expect(made).not.toHaveProperty("warning");
    await services.call("keys.issue", { account: "ci" });
    await failAll(services.queue, services.clock.now);
    const [{ id: delivery } = { id: "" }] = await services.queue.list({ limit: 1 });
    const { endpoints } = services.outbox;
    const outbox = { ...createTestOutbox(services.store, () => start, { enabled: false }), endpoints };
    const admin = createAdmin({ ...services, outbox, runtime: testRuntime({ now: () => start }) });
    for (const [operation, args] of [
      ["webhooks.test", { id }],
      ["webhooks.redeliver", { id: delivery }],
      ["webhooks.recover", { id, since: "1h" }],
    ] as const) {
      expect((await refusalOf(() => admin.perform(operation, args))).message).toContain("webhooks.enabled");
    }
    expect(await services.queue.list({ state: "waiting", limit: 1 })).toEqual([]);
    const { warning } = (await admin.call("webhooks.add", { account: "ci", url })) as NewSecretView;
    expect(warning).toContain("webhooks.enabled");
  });
});
