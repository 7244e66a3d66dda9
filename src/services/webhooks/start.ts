import { type BackoffOptions, delayBefore } from "../../lib/webhook/schedule.ts";
import { toInstant } from "../../catalog/duration.ts";
import type { WebhookStatus } from "../telemetry/numbers.ts";
import type { Attempt, DeliveryQueue } from "../storage/deliveries/delivery-queue.ts";
import type { Wait } from "./alarm.ts";
import { createCourier } from "./courier.ts";
import { createDeliver } from "./deliver.ts";
import { createDispatcher } from "./dispatcher.ts";
import type { Schedule } from "./outcome.ts";
import type { Outbox } from "./outbox.ts";
import { startPruning } from "./prune.ts";
import { createSender } from "./send.ts";
import { startSweep, type SweepDeps } from "./sweep.ts";

/** What a server does with the queue: it sends what is due, and looks after what is old. */
export interface SendingProcess {
  /** Undefined while the store cannot be asked. */
  status(): Promise<WebhookStatus | undefined>;
  /** Lets what is on its way come to its end, 5 seconds at most. */
  stop(): Promise<void>;
}

/** As in the configuration. */
export interface SendingOptions {
  timeoutMs: number;
  attempts: number;
  firstDelaySeconds: number;
  factor: number;
  maxDelayHours: number;
  concurrency: number;
  keepDays: number;
}

export interface SendingDeps {
  store: SweepDeps["store"];
  outbox: Outbox;
  options: SendingOptions;
  /** Epoch milliseconds, of the clock of `wait`. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  random(size: number): Uint8Array;
  /** Of penknife. */
  version: string;
  wait?: Wait;
  /** How long what another process has added may go unnoticed. */
  pollMs: number;
  onAttempt(outcome: Attempt["outcome"]): void;
  /** Told of what the store throws, and of bugs. */
  onError(error: unknown): void;
  /** Told of what the operator has to mend, a sentence, perhaps again and again. */
  onNotice(message: string): void;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Beyond the longest request: to have it noted what came of it. */
const marginMs = 10_000;
/** Between two tries to open the queue. */
const reopenMs = 5000;

/** Sends what is due from now on. A queue that cannot be opened yet is opened later. */
export function startSending(deps: SendingDeps): SendingProcess {
  const { store, outbox, options, now, monotonic, random, version, wait = onTimer, onError } = deps;
  const { publisher, endpoints, seal, guard } = outbox;
  const { attempts, timeoutMs, concurrency } = options;
  const { pollMs } = deps;
  const sender = createSender({ guard, timeoutMs, now, monotonic, version });
  const backoff: BackoffOptions = {
    attempts,
    firstDelayMs: options.firstDelaySeconds * 1000,
    factor: options.factor,
    maxDelayMs: options.maxDelayHours * hourMs,
  };
  const schedule: Schedule = { attempts, delayBefore: (attempt) => delayBefore(attempt, backoff, random) };
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
      send: createCourier({ sender, seal, now }),
      schedule,
      now,
      onAttempt: deps.onAttempt,
      async onDisable({ id, account, url, description = null }, reason, failingSince) {
        const endpoint = { id, origin: new URL(url).origin, description };
        // Many requests may find it at once, on many nodes.
        const once = { name: `endpoint.disabled:${id}:${failingSince}`, until: now() + dayMs };
        const data = { endpoint, reason, disabledAt: toInstant(now()) };
        await publisher.publish("endpoint.disabled", account, data, { once, except: [id] });
      },
      onHeld: deps.onNotice,
    });
    const leaseMs = timeoutMs + marginMs;
    const dispatcher = createDispatcher({ queue, deliver, now, wait, concurrency, leaseMs, pollMs, onError });
    const pruning = startPruning({ queue, wait, keptMs: options.keepDays * dayMs, onError });
    const sweep = startSweep({
      store,
      endpoints,
      publisher,
      seal,
      now,
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
      const secondsSince = (at = Infinity): number => Math.max(0, now() - at) / 1000;
      return { deliveries: depth, oldestSeconds: secondsSince(oldestAt), lateSeconds: secondsSince(dueAt) };
    } catch {
      // A scrape has other numbers, that of the faults of the store among them.
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
