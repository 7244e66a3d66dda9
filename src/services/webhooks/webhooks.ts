import { ToolError } from "../../catalog/errors.ts";
import type { Log } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { WebhookStatus } from "../telemetry/numbers.ts";
import { StoreError } from "../../storage/errors.ts";
import type { Store } from "../../storage/storage.ts";
import { lazy } from "../../lib/lazy.ts";
import { createThrottle } from "../../lib/throttle.ts";
import type { Outbox } from "./outbox.ts";
import type { Config } from "../../options.ts";
import type { SendingProcess } from "./start.ts";
import type { Runtime } from "../../runtime.ts";

/** Webhooks of a server. Each part is loaded on first use, so that no start waits for it. */
export interface Webhooks {
  /** Reports an error of the store, or a bug. */
  onError(error: unknown): void;
  /** Starts sending, if it is enabled. */
  start(): void;
  /** Returns undefined if the state of the queue is unknown. */
  status(): Promise<WebhookStatus | undefined>;
  /** Waits at most 5 seconds for deliveries in progress. Call it before closing the store. */
  close(): Promise<void>;
}

export interface WebhooksDeps {
  store: Store;
  outbox(): Promise<Outbox>;
  options: Config["webhooks"];
  runtime: Runtime;
  version: string;
  log: Log;
  metrics: Metrics;
  onStoreError(error: StoreError): void;
}

/** Notifications from other nodes may get lost; the deliveries of this process are always known. */
const sharedPollMs = 1000;
const ownPollMs = 60_000;
/** Milliseconds between two lines of the log about the same trouble. */
const repeatMs = 3_600_000;

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, options, runtime, version, log, metrics, onStoreError } = deps;
  const notices = createThrottle(repeatMs, runtime.monotonic);

  const sending = lazy(async (): Promise<SendingProcess | undefined> => {
    try {
      const { startSending: start } = await import("./start.ts");
      return start({
        store,
        outbox: await deps.outbox(),
        options,
        runtime,
        version,
        pollMs: store.driver === "redis" ? sharedPollMs : ownPollMs,
        onAttempt: metrics.webhookAttempt,
        onError,
        onNotice: (message) => void (notices.due(message) && log.event("warn", message)),
      });
    } catch (error) {
      runtime.report(error);
      return undefined;
    }
  });

  function onError(error: unknown): void {
    if (error instanceof StoreError) onStoreError(error);
    // The collection has reported its own faults.
    else if (!(error instanceof ToolError && error.cause instanceof StoreError)) runtime.report(error);
  }

  return {
    onError,
    start() {
      if (options.enabled) void sending();
    },
    status: async () => (await sending.made())?.status(),
    close: async () => (await sending.made())?.stop(),
  };
}
