import type { Attempt, DeliveryDetail, DeliveryQueue, QueueOptions } from "./delivery-queue.ts";
import type { Ledger } from "./ledger.ts";
import { createLocalQueue } from "./local-queue.ts";
import { toSummary } from "./newest.ts";
import { createWaitingSet } from "./waiting.ts";

/** Most ended deliveries kept; beyond it the oldest are dropped, whatever their age. */
const maxKept = 10_000;

/** A queue that is lost when the process ends: for tests and trials. */
export function createMemoryQueue(options: QueueOptions): DeliveryQueue {
  const set = createWaitingSet<string, Attempt>(options);
  return createLocalQueue({ ...options, set, ledger: createMemoryLedger() });
}

function createMemoryLedger(): Ledger<string, Attempt> {
  /** Ordered by end. */
  const ended = new Map<string, DeliveryDetail>();
  /** Number of ended deliveries by event. */
  const events = new Map<string, number>();

  function keep(delivery: DeliveryDetail): void {
    ended.set(delivery.id, delivery);
    events.set(delivery.event, (events.get(delivery.event) ?? 0) + 1);
    const [oldest] = ended.keys();
    if (ended.size > maxKept && oldest !== undefined) drop(oldest);
  }

  function drop(id: string): void {
    const delivery = ended.get(id);
    if (delivery === undefined) return;
    ended.delete(id);
    const left = (events.get(delivery.event) ?? 1) - 1;
    if (left === 0) events.delete(delivery.event);
    else events.set(delivery.event, left);
  }

  return {
    add: async (_at, { body }, _arrivals, _once, apply) => apply(body),
    postpone: async (_at, { log }, { attempt }, apply) =>
      apply(attempt === undefined ? log : [...log, attempt]),
    async end(_at, deliveries, _attempt, apply) {
      for (const delivery of deliveries) keep(delivery);
      return apply();
    },
    async revive(_at, { id, body, log }, apply) {
      drop(id);
      return apply(body, log);
    },
    note: async (_at, _note, apply) => apply(),
    readBody: async (body) => body,
    readLog: async ({ log }) => log,
    find: async (id) => ended.get(id),
    async search(_query, newest, isSkipped) {
      for (const delivery of ended.values()) if (!isSkipped(delivery.id)) newest.see(toSummary(delivery));
    },
    hasEnded: (event) => events.has(event),
    async forget(before) {
      for (const [id, { endedAt = 0 }] of ended) if (endedAt <= before) drop(id);
      return true;
    },
    close: async () => {},
  };
}
