import { defaults } from "../../../support/defaults.ts";
import { randomFillSync } from "node:crypto";
import { onTestFinished } from "vitest";
import type { DeliveryQueue } from "../../../../src/storage/deliveries/delivery-queue.ts";
import type { Store, StoreOptions } from "../../../../src/storage/storage.ts";
import { createOutbox, type Outbox } from "../../../../src/services/webhooks/outbox.ts";
import { startSending, type SendingDeps } from "../../../../src/services/webhooks/start.ts";
import { account } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { createClock, hour } from "../../../unit/services/webhooks/clock.ts";
import { testRuntime } from "../../../support/runtime.ts";

export const options = {
  ...defaults.webhooks,
  allowCidrs: ["127.0.0.0/8"],
  encryptionKey: "",
  timeoutMs: 3000,
};

export const random = (size: number): Uint8Array => randomFillSync(new Uint8Array(size));

/** All parts that send, over real sockets, a store and a clock that the test moves. The account is `acme`. */
export async function openSending(
  storeOptions: Partial<StoreOptions> = {},
  {
    changed = {},
    wrap,
    wrapQueue,
  }: {
    changed?: Partial<typeof options>;
    wrap?(store: Store): Partial<Store>;
    wrapQueue?(queue: DeliveryQueue): Partial<DeliveryQueue>;
  } = {},
) {
  const clock = createClock();
  const { store: own, errors } = await openTestStore({
    runtime: testRuntime({ now: clock.now }),
    ...storeOptions,
  });
  const inner = await own.deliveries();
  const { watched, busy } = watch({ ...inner, ...wrapQueue?.(inner) });
  const store: Store = { ...own, deliveries: async () => watched, ...wrap?.(own) };
  await store.accounts.set("acme", account("acme"));
  const faults: unknown[] = [];
  const notices: string[] = [];
  const outcomes: string[] = [];
  const openOutbox = (more: Partial<typeof options> = {}): Outbox =>
    createOutbox({
      store,
      options: { ...options, ...changed, ...more },
      runtime: testRuntime({ now: clock.now, random }),
      onError: (error) => void faults.push(error),
    });
  const outbox = openOutbox();

  function start(deps: Partial<SendingDeps> = {}) {
    const sending = startSending({
      store,
      outbox,
      options: { ...options, ...changed },
      runtime: testRuntime({ now: clock.now, monotonic: () => performance.now(), random }),
      wait: clock.wait,
      version: "1.0.0",
      // The memory driver notices every change, and each poll costs the test time.
      pollMs: hour,
      onAttempt: (outcome) => void outcomes.push(outcome),
      onError: (error) => void faults.push(error),
      onNotice: (message) => void notices.push(message),
      ...deps,
    });
    onTestFinished(() => sending.stop());
    return sending;
  }

  /** A test event for this endpoint. */
  async function publish(endpoint: string) {
    const data = { endpoint, message: "Hello." };
    const { event, deliveries } = await outbox.publisher.publish("webhook.test", "acme", data, {
      only: [endpoint],
    });
    if (event === undefined) throw new Error(String(faults.at(-1)));
    return { event, id: deliveries[0]?.id ?? "" };
  }

  /** Lets time pass until a delivery has ended. */
  async function ended(id: string) {
    await clock.leap(async () => (await watched.get(id))?.state !== "waiting", busy);
    return watched.get(id);
  }

  return {
    clock,
    store,
    queue: watched,
    outbox,
    openOutbox,
    errors,
    faults,
    notices,
    outcomes,
    busy,
    start,
    publish,
    ended,
  };
}

/** The queue, and whether any claim is still in progress. */
function watch(queue: DeliveryQueue) {
  let claiming = 0;
  let made = 0;
  const watched: DeliveryQueue = {
    ...queue,
    async claim(claim) {
      claiming++;
      const claims = await queue.claim(claim).finally(() => claiming--);
      made += claims.length;
      return claims;
    },
    settle: (claim, result) => queue.settle(claim, result).finally(() => made--),
  };
  return { watched, busy: () => claiming + made > 0 };
}
