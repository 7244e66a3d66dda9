import { ToolError } from "../../catalog/errors.ts";
import { createLimitNotes, type NoteLimit } from "../events/limit-notes.ts";
import type { Live } from "../events/live/live.ts";
import type { Log } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { WebhookStatus } from "../telemetry/numbers.ts";
import { StoreError } from "../storage/errors.ts";
import type { Store } from "../storage/storage.ts";
import { lazy } from "../../lib/lazy.ts";
import { createThrottle } from "../../lib/throttle.ts";
import type { GuardRules } from "./guard.ts";
import type { Outbox } from "./outbox.ts";
import type { SendingOptions, SendingProcess } from "./start.ts";

/** Webhooks of a server. Each part is evaluated when it is first needed, so that no start waits for any. */
export interface Webhooks {
  outbox(): Promise<Outbox>;
  noteLimit: NoteLimit;
  /** Sends from now on, where it is to. */
  start(): void;
  /** Undefined while nothing can be said of the queue. */
  status(): Promise<WebhookStatus | undefined>;
  /** Lets what is on its way come to its end, 5 seconds at most; before the store is closed. */
  close(): Promise<void>;
}

export interface WebhooksDeps {
  store: Store;
  options: SendingOptions & GuardRules & { enabled: boolean; encryptionKey: string };
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  random(size: number): Uint8Array;
  version: string;
  log: Log;
  metrics: Metrics;
  /** Of a server that lets others look on. */
  live?: () => Promise<Live>;
  onStoreError(error: StoreError): void;
  onFault(error: unknown): void;
}

/** Word of what another node has added may get lost; what this process adds it knows. */
const sharedPollMs = 1000;
const ownPollMs = 60_000;
/** Between two lines of the log about the same. */
const repeatMs = 3_600_000;

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, options, now, monotonic, random, version, log, metrics, live } = deps;
  const { onStoreError, onFault } = deps;
  const notices = createThrottle(repeatMs, monotonic);

  const outbox = lazy(async () => {
    const { createOutbox } = await import("./outbox.ts");
    return createOutbox({
      store,
      options,
      now,
      random,
      live: await live?.(),
      onPublished: metrics.webhookEvent,
      onError(error, type, account) {
        onError(error);
        log.event("error", "an event is lost", { type, account });
      },
    });
  });

  const sending = lazy(async (): Promise<SendingProcess | undefined> => {
    try {
      const { startSending: start } = await import("./start.ts");
      return start({
        store,
        outbox: await outbox(),
        options,
        now,
        monotonic,
        random,
        version,
        pollMs: store.driver === "redis" ? sharedPollMs : ownPollMs,
        onAttempt: metrics.webhookAttempt,
        onError,
        onNotice: (message) => void (notices.due(message) && log.event("warn", message)),
      });
    } catch (error) {
      onFault(error);
      return undefined;
    }
  });

  function onError(error: unknown): void {
    if (error instanceof StoreError) onStoreError(error);
    // What a collection cannot read or write it has told of.
    else if (!(error instanceof ToolError && error.cause instanceof StoreError)) onFault(error);
  }

  return {
    outbox,
    noteLimit: createLimitNotes({
      enabled: options.enabled || live !== undefined,
      publisher: async () => (await outbox()).publisher,
      onError: onFault,
    }),
    start() {
      if (options.enabled) void sending();
    },
    status: async () => (await sending.made())?.status(),
    close: async () => (await sending.made())?.stop(),
  };
}
