import { describe, expect, test } from "vitest";
import type { EventBody } from "../../../../src/services/events/types.ts";
import { createLive } from "../../../../src/services/events/live/live.ts";
import type { Store } from "../../../../src/storage/storage.ts";
import { createOutbox } from "../../../../src/services/webhooks/outbox.ts";
import { createRandom, createTestOperator, start } from "../setup.ts";
import { openTestStore } from "../../../support/store.ts";
import { checkEvent } from "./check-event.ts";
import { testRuntime } from "../../../support/runtime.ts";

const random = createRandom();

async function openDesk({ enabled = true, wrap = (store: Store) => store } = {}) {
  const now = () => start;
  const { store: own } = await openTestStore({ runtime: testRuntime({ now }) });
  const store = wrap(own);
  const live = createLive({
    runtime: testRuntime({ random, report: (error) => expect.unreachable(String(error)) }),
  });
  const errors: unknown[] = [];
  const outbox = createOutbox({
    store,
    options: { enabled, allowCidrs: ["127.0.0.0/8"], encryptionKey: "" },
    runtime: testRuntime({ now, random }),
    live,
    onError: (error) => errors.push(error),
  });
  const admin = createTestOperator({
    store,
    outbox,
    runtime: testRuntime({ now, random }),
  });
  const heard: EventBody[] = [];
  const call = async (operation: string, args: object) =>
    (await admin.perform(operation, args)) as { id: string; key: string };
  return {
    live,
    store,
    outbox,
    errors,
    heard,
    call,
    listen: () => live.listen("event", "ci", (event) => heard.push(event)),
  };
}

describe("events of an account", () => {
  test.each([true, false])(
    "reach listeners whether endpoints subscribe to them or not; webhooks.enabled: %s",
    async (enabled) => {
      const { heard, call, listen, store } = await openDesk({ enabled });
      listen();
      await call("accounts.create", { name: "ci", plan: "pro" });
      await call("accounts.create", { name: "other", plan: "pro" });
      const issued = await call("keys.issue", { account: "ci", name: "gitlab" });
      await call("webhooks.add", { account: "ci", url: "http://127.0.0.1:9/", events: ["key.revoked"] });
      await call("keys.revoke", { id: issued.id });
      expect(heard.map(({ type, account }) => [type, account])).toEqual([
        ["account.updated", "ci"],
        ["key.issued", "ci"],
        ["key.revoked", "ci"],
      ]);
      for (const event of heard) await checkEvent(JSON.stringify(event));
      expect(JSON.stringify(heard)).not.toContain(issued.key.slice(13));
      const queue = await store.deliveries();
      const [delivery] = await queue.list({ limit: 9 });
      // The endpoint receives the very same event, if it receives any.
      expect(delivery?.event).toBe(enabled ? heard[2]?.id : undefined);
      if (delivery !== undefined)
        expect(JSON.parse((await queue.get(delivery.id))?.body ?? "")).toEqual(heard[2]);
    },
  );

  test("reach listeners even if only one endpoint receives them or the queue fails", async () => {
    const { outbox, heard, errors, listen } = await openDesk({
      wrap: (store) => ({ ...store, deliveries: () => Promise.reject(new Error("The disk is full.")) }),
    });
    listen();
    const data = { endpoint: "we_0123456789abcdef01234567", message: "Hello." };
    await outbox.publisher.publish("webhook.test", "ci", data, { only: ["we_0123456789abcdef01234567"] });
    expect(heard).toMatchObject([{ type: "webhook.test", data }]);
    expect(errors).toHaveLength(1);
  });

  test.each([true, false])(
    "noticed several times are delivered once; with an endpoint: %s",
    async (endpoint) => {
      const { outbox, heard, call, listen } = await openDesk();
      await call("accounts.create", { name: "ci", plan: "pro" });
      if (endpoint) await call("webhooks.add", { account: "ci", url: "http://127.0.0.1:9/" });
      listen();
      const data = { limit: 1000, used: 800, resetAt: new Date(start).toISOString() };
      const once = { name: "limit.warning:ci:7", until: start + 3_600_000 };
      for (let n = 0; n < 3; n++) await outbox.publisher.publish("limit.warning", "ci", data, { once });
      expect(heard).toHaveLength(1);
    },
  );

  test("without listeners no event is created, and the queue is not opened", async () => {
    const { outbox } = await openDesk({
      enabled: false,
      wrap: (store) => ({ ...store, deliveries: () => expect.unreachable("opened") }),
    });
    const data = {
      get endpoint(): string {
        return expect.unreachable("read");
      },
      message: "",
    };
    expect(await outbox.publisher.publish("webhook.test", "ci", data)).toEqual({ deliveries: [] });
  });
});
