import { onTestFinished } from "vitest";
import type { DeliveryQueue } from "../../../../src/storage/deliveries/delivery-queue.ts";
import { createMemoryQueue } from "../../../../src/storage/deliveries/memory-queue.ts";
import type { EndpointRecord } from "../../../../src/storage/records.ts";
import { createDeliver } from "../../../../src/services/webhooks/deliver.ts";
import { createDispatcher, type Dispatcher } from "../../../../src/services/webhooks/dispatcher.ts";
import type { Schedule, Verdict } from "../../../../src/services/webhooks/outcome.ts";
import { SealError } from "../../../../src/storage/seal.ts";
import type { SendRequest, Sent as Answered } from "../../../../src/services/webhooks/send.ts";
import { createRandom } from "../setup.ts";
import { createClock, hour, second } from "./clock.ts";
import { testRuntime } from "../../../support/runtime.ts";

/** One request of the dispatcher. */
export interface Sent {
  endpoint: string;
  event: string;
  delivery: string;
  number: number;
  at: number;
}

/** The behaviour of a receiver: answers, sends Retry-After, or answers after a while. */
export type Receiver = (sent: Sent) => Verdict | Promise<Verdict>;

export interface StageOptions {
  perEndpoint?: number;
  concurrency?: number;
  schedule?: Schedule;
  leaseMs?: number;
  /** The queue as the dispatcher sees it. */
  wrap?(queue: DeliveryQueue): DeliveryQueue;
}

export const ok: Verdict = { outcome: "ok" };
export const retry: Verdict = { outcome: "retry" };
export const refused: Verdict = { outcome: "refused" };

const fixed: Schedule = { attempts: 12, delayBefore: (attempt) => 5 * second * 3 ** (attempt - 2) };

/** A dispatcher over a queue in memory, with receivers and a clock that the test controls. */
export function openStage(options: StageOptions = {}) {
  const { perEndpoint = 8, concurrency = 64, schedule = fixed, leaseMs = 15 * second, wrap } = options;
  const clock = createClock();
  const queue = createMemoryQueue({
    runtime: testRuntime({ now: clock.now, random: createRandom() }),
    perEndpoint,
    circuit: { after: 5, everyMs: 60 * second },
  });
  const seen = wrap?.(queue) ?? queue;
  const endpoints = new Map<string, EndpointRecord>();
  const receivers = new Map<string, Receiver>();
  const sent: Sent[] = [];
  const errors: unknown[] = [];
  const disabled = new Set<string>();
  const held: string[] = [];
  const outcomes: string[] = [];
  const unreadable = new Set<string>();
  const running = { now: 0, most: 0 };
  const runningOf = new Map<string, number>();
  let events = 0;

  /** Plays the receiver that the URL names. */
  async function send({ url, headers }: SendRequest): Promise<Answered> {
    const endpoint = new URL(url).pathname.slice(1);
    const one: Sent = {
      endpoint,
      event: headers["x-event-id"] as string,
      delivery: headers["x-delivery-id"] as string,
      number: Number(headers["x-attempt"]),
      at: clock.now(),
    };
    sent.push(one);
    running.most = Math.max(running.most, ++running.now);
    const own = (runningOf.get(endpoint) ?? 0) + 1;
    runningOf.set(endpoint, own);
    mostOf.set(endpoint, Math.max(mostOf.get(endpoint) ?? 0, own));
    try {
      const { outcome, disable, retryAfterMs } = await (receivers.get(endpoint) ?? (() => ok))(one);
      const status = outcome === "ok" ? 200 : outcome === "retry" ? 500 : disable === true ? 410 : 404;
      const durationMs = clock.now() - one.at;
      return { durationMs, status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    } finally {
      running.now--;
      runningOf.set(endpoint, (runningOf.get(endpoint) ?? 0) - 1);
    }
  }
  const mostOf = new Map<string, number>();

  const deliver = createDeliver({
    queue: seen,
    endpoints: {
      async look(id) {
        return endpoints.get(id);
      },
      async disable(id, disabledReason) {
        const record = endpoints.get(id);
        if (record === undefined || record.state === "disabled") return undefined;
        const changed: EndpointRecord = { ...record, state: "disabled", disabledReason };
        endpoints.set(id, changed);
        return changed;
      },
    },
    sender: { send },
    seal: {
      open(secret, owner) {
        if (unreadable.has(owner)) throw new SealError("other_key", owner);
        return secret;
      },
    },
    schedule,
    runtime: testRuntime({ now: clock.now }),
    onAttempt: (outcome) => outcomes.push(outcome),
    onDisable: async ({ id }, reason, failingSince) => void disabled.add(`${id} ${reason} ${failingSince}`),
    onHeld: (why) => held.push(why),
  });

  function start(): Dispatcher {
    const dispatcher = createDispatcher({
      queue: seen,
      deliver,
      runtime: testRuntime({ now: clock.now }),
      wait: clock.wait,
      concurrency,
      leaseMs,
      // The memory driver notices every change, and each poll costs the test time.
      pollMs: hour,
      onError: (error) => errors.push(error),
    });
    // Deliveries that still wait in it wait for ever: the clock stands still then.
    onTestFinished(() => void dispatcher.stop());
    return dispatcher;
  }

  function addEndpoint(id: string, receiver?: Receiver, changes: Partial<EndpointRecord> = {}): void {
    endpoints.set(id, toEndpoint(id, changes));
    if (receiver !== undefined) receivers.set(id, receiver);
  }

  /** Adds an event for these endpoints, of the account of the first; returns its id. */
  const publish = (...to: string[]): Promise<string> => add(to);

  async function add(to: string[], urgent = false): Promise<string> {
    const id = `evt_${String(++events).padStart(4, "0")}`;
    const { account = "acme" } = endpoints.get(to[0] ?? "") ?? {};
    await queue.add({ id, type: "webhook.test", account, body: `{"id":"${id}"}` }, to, undefined, urgent);
    return id;
  }

  const change = (id: string, changes: Partial<EndpointRecord>): void =>
    void endpoints.set(id, { ...(endpoints.get(id) as EndpointRecord), ...changes });

  return {
    clock,
    queue,
    endpoints,
    receivers,
    sent,
    errors,
    disabled,
    held,
    outcomes,
    unreadable,
    running,
    mostOf,
    start,
    add: addEndpoint,
    publish,
    publishUrgent: (to: string): Promise<string> => add([to], true),
    change,
    /** The requests to one of them. */
    to: (id: string): Sent[] => sent.filter(({ endpoint }) => endpoint === id),
    states: async (endpoint?: string): Promise<string[]> =>
      (await queue.list({ limit: 1000, ...(endpoint !== undefined && { endpoint }) }))
        .toReversed()
        .map(({ state }) => state),
  };
}

export function toEndpoint(id: string, changes: Partial<EndpointRecord> = {}): EndpointRecord {
  return {
    v: 1,
    id,
    account: "acme",
    url: `https://receiver.test/${id}`,
    method: "POST",
    events: ["*"],
    secret: `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
    state: "active",
    retryClientErrors: false,
    createdAt: "2026-11-21T12:00:00.000Z",
    ...changes,
  };
}
