import { expect, test } from "vitest";
import { createLive } from "../../../src/services/events/live/live.ts";
import { createLog } from "../../../src/services/telemetry/log.ts";
import { createMetrics } from "../../../src/services/telemetry/metrics.ts";
import { createWebhooks } from "../../../src/services/webhooks/webhooks.ts";
import { createRandom, start } from "../setup.ts";
import { openTestStore } from "../storage/drivers.ts";
import { options } from "./sending.ts";

test("opens the outbox again after an attempt that failed", async () => {
  const now = () => start;
  const random = createRandom();
  const { store } = await openTestStore({ now });
  const unexpected = (error: unknown) => expect.unreachable(String(error));
  let attempts = 0;
  const webhooks = createWebhooks({
    store,
    options,
    now,
    monotonic: now,
    random,
    version: "1.0.0",
    log: createLog({ write: () => {}, level: "error", format: "json", now }),
    metrics: createMetrics({ version: "1.0.0", commit: "abc", load: () => import("prom-client") }),
    async live() {
      attempts += 1;
      if (attempts === 1) throw new Error("EMFILE");
      return createLive({ random, onFault: unexpected });
    },
    onStoreError: unexpected,
    onFault: unexpected,
  });
  await expect(webhooks.outbox()).rejects.toThrow("EMFILE");
  const outbox = await webhooks.outbox();
  expect(await webhooks.outbox()).toBe(outbox);
  expect(attempts).toBe(2);
  await webhooks.close();
});
