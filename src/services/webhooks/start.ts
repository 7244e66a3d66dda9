import { type BackoffOptions, delayBefore } from "../../lib/webhook/schedule.ts";
import type { Config } from "../../options.ts";
import { toInstant } from "../../catalog/duration.ts";
import type { WebhookStatus } from "../telemetry/numbers.ts";
import type { Attempt, DeliveryQueue } from "../../storage/deliveries/delivery-queue.ts";
import type { Wait } from "./alarm.ts";
import { createDeliver } from "./deliver.ts";
import { createDispatcher } from "./dispatcher.ts";
import type { Schedule } from "./outcome.ts";
import type { Outbox } from "./outbox.ts";
import { startPruning } from "./prune.ts";
import { createSender } from "./send.ts";
import { startSweep, type SweepDeps } from "./sweep.ts";
import type { Runtime } from "../../runtime.ts";

/** Sends due deliveries and prunes old ones. */
export interface SendingProcess {
  /** Returns undefined if the store does not answer. */
  status(): Promise<WebhookStatus | undefined>;
  /** Waits at most 5 seconds for deliveries in progress. */
  stop(): Promise<void>;
}

export interface SendingDeps {
  store: SweepDeps["store"];
  outbox: Outbox;
  options: Config["webhooks"];
  runtime: Runtime;
  /** The version of penknife. */
  version: string;
  wait?: Wait;
  /** Milliseconds for which deliveries added by another process may go unnoticed. */
  pollMs: number;
  onAttempt(outcome: Attempt["outcome"]): void;
  /** Called with errors of the store and bugs. */
  onError(error: unknown): void;
  /** Called with sentences about what the operator has to repair, perhaps repeatedly. */
  onNotice(message: string): void;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Extra lease time to record the result after the request timeout. */
const marginMs = 10_000;
/** Milliseconds between two attempts to open the queue. */
const reopenMs = 5000;

/** Starts sending. A queue that cannot be opened yet is opened later. */
export function startSending(deps: SendingDeps): SendingProcess {
  const { store, outbox, options, runtime, version, wait = onTimer, onError } = deps;
  const { publisher, endpoints, seal, guard } = outbox;
  const { attempts, timeoutMs, concurrency } = options;
  const { pollMs } = deps;
  const sender = createSender({ guard, timeoutMs, runtime, version });
  const backoff: BackoffOptions = {
    attempts,
    firstDelayMs: options.firstDelaySeconds * 1000,
    factor: options.factor,
    maxDelayMs: options.maxDelayHours * hourMs,
  };
  const schedule: Schedule = {
    attempts,
    delayBefore: (attempt) => delayBefore(attempt, backoff, runtime.random),
  };
  let running: { queue: DeliveryQueue; stop(): Promise<void> } | undefined;
  let cancel = (): void => {};
  let stopped = false;
  let opening = open();

  async function open(): Promise<void> {
    try {
      const queue = await store.deliveries();
      if (!stopped) running = { queue, stop: run(queue) };
    } catch (error) {
      onError(error);
      if (!stopped) cancel = wait(reopenMs, () => (opening = open()));
    }
  }

  function run(queue: DeliveryQueue): () => Promise<void> {
    const deliver = createDeliver({
      queue,
      endpoints,
      sender,
      seal,
      schedule,
      runtime,
      onAttempt: deps.onAttempt,
      async onDisable({ id, account, url, description = null }, reason, failingSince) {
        const endpoint = { id, origin: new URL(url).origin, description };
        // Many requests, on many nodes, may notice it at once.
        const once = { name: `endpoint.disabled:${id}:${failingSince}`, until: runtime.now() + dayMs };
        const data = { endpoint, reason, disabledAt: toInstant(runtime.now()) };
        await publisher.publish("endpoint.disabled", account, data, { once, except: [id] });
      },
      onHeld: deps.onNotice,
    });
    const leaseMs = timeoutMs + marginMs;
    const dispatcher = createDispatcher({
      queue,
      deliver,
      runtime,
      wait,
      concurrency,
      leaseMs,
      pollMs,
      onError,
    });
    const pruning = startPruning({ queue, wait, keptMs: options.keepDays * dayMs, onError });
    const sweep = startSweep({
      store,
      endpoints,
      publisher,
      seal,
      runtime,
      wait,
      onNotice: deps.onNotice,
      onError,
    });
    return async () => {
      await Promise.all([dispatcher.stop(), pruning.stop(), sweep.stop()]);
    };
  }

  async function status(): Promise<WebhookStatus | undefined> {
    if (running === undefined) return undefined;
    try {
      const [{ depth, oldestAt }, dueAt] = await Promise.all([running.queue.stats(), running.queue.nextAt()]);
      const secondsSince = (at = Infinity): number => Math.max(0, runtime.now() - at) / 1000;
      return { deliveries: depth, oldestSeconds: secondsSince(oldestAt), lateSeconds: secondsSince(dueAt) };
    } catch {
      // A scrape has other metrics, including the count of store faults.
      return undefined;
    }
  }

  async function stop(): Promise<void> {
    stopped = true;
    cancel();
    await opening;
    await running?.stop();
    sender.close();
  }

  let end: Promise<void> | undefined;
  return { status, stop: () => (end ??= stop()) };
}

const onTimer: Wait = (ms, then) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};
