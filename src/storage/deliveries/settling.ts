import { setImmediate as nextTurn } from "node:timers/promises";
import type { Delivery, DeliveryDetail, DeliveryQueue } from "./delivery-queue.ts";
import type { Ledger } from "./ledger.ts";
import type { Waiting, WaitingSet } from "./waiting.ts";

/** The functions that end deliveries, or let them wait again after an attempt. */
export interface Settling<Item> extends Pick<DeliveryQueue, "settle" | "fail" | "prune"> {
  /** Reports whether the delivery still waits. */
  isHere(item: Item): boolean;
  isClaimed(item: Item): boolean;
  detail(item: Item): Promise<DeliveryDetail>;
  /** Ends the deliveries that no other call is settling, as failed. Returns how many. */
  end(items: readonly Item[], reason: string): Promise<number>;
}

/** Most deliveries ended in one step: their bodies are in memory meanwhile. */
const maxEnded = 200;

export function createSettling<Body, Log>(options: {
  set: WaitingSet<Body, Log>;
  ledger: Ledger<Body, Log>;
  /** Returns the time, which `set` has observed. @throws StoreError if the queue is closed. */
  time(): number;
  /** Called when a claim may have become possible. */
  wake(): void;
}): Settling<Waiting<Body, Log>> {
  type Item = Waiting<Body, Log>;
  const { set, ledger, time, wake } = options;

  const isHere = (item: Item): boolean => set.get(item.id) === item;
  const isClaimed = (item: Item): boolean => item.slot === -1;

  async function detail(item: Item): Promise<DeliveryDetail> {
    const [log, body = ""] = await Promise.all([ledger.readLog(item), ledger.readBody(item.event.body)]);
    return { ...toDelivery(item), log, body };
  }

  async function end(items: readonly Item[], reason: string): Promise<number> {
    const at = time();
    const taken = items.filter((item) => set.take(item, at));
    try {
      const details = await Promise.all(taken.map(detail));
      const ended = details.map((one) => toEnded(one, { state: "failed", endedAt: at, reason }));
      await ledger.end(at, ended, undefined, () => {
        for (const item of taken) set.remove(item, at);
      });
    } catch (error) {
      for (const item of taken) set.release(item, at);
      throw error;
    }
    wake();
    return taken.length;
  }

  return {
    isHere,
    isClaimed,
    detail,
    end,
    async settle({ delivery: { id }, fence }, { attempt, state, nextAt, reason }) {
      const at = time();
      const item = set.get(id);
      if (item === undefined || item.fence !== fence || !set.take(item, at)) return undefined;
      const attempts = item.attempts + (attempt === undefined ? 0 : 1);
      const count = (): void => {
        if (attempt !== undefined) set.count(item.receiver.name, attempt, at);
      };
      try {
        if (state === "waiting") {
          const next = { attempts, nextAt: nextAt ?? at, ...(attempt !== undefined && { attempt }) };
          await ledger.postpone(at, item, next, (log) => {
            count();
            item.attempts = attempts;
            item.log = log;
            set.reschedule(item, next.nextAt, at);
          });
        } else {
          const known = await detail(item);
          const log = attempt === undefined ? known.log : [...known.log, attempt];
          const outcome = { state, endedAt: at, ...(reason !== undefined && { reason }) };
          const ended = toEnded({ ...known, attempts, log }, outcome);
          await ledger.end(at, [ended], attempt, () => {
            count();
            set.remove(item, at);
          });
        }
      } catch (error) {
        set.release(item, at);
        throw error;
      }
      wake();
      return set.health(item.receiver.name);
    },
    async fail(endpoint, reason) {
      let failed = 0;
      for (let items = set.of(endpoint); items.length > 0; items = items.filter(isHere)) {
        for (let from = 0; from < items.length; from += maxEnded)
          failed += await end(items.slice(from, from + maxEnded), reason);
        // Deliveries that are being settled may go on waiting after that.
        await nextTurn();
      }
      return failed;
    },
    async prune({ lifetimeMs, keptMs, reason }) {
      const at = time();
      set.forgetOnce(at);
      const overdue: Item[] = [];
      for (const item of set.all()) {
        if (item.since > at - lifetimeMs || overdue.length === maxEnded) break;
        // A claimed delivery ends by its attempt, perhaps successfully.
        if (!isClaimed(item)) overdue.push(item);
      }
      if (overdue.length > 0) await end(overdue, reason);
      const hasForgotten = await ledger.forget(at - keptMs);
      return hasForgotten && overdue.length < maxEnded;
    },
  };
}

export const toDelivery = <Body, Log>(item: Waiting<Body, Log>): Delivery => ({
  id: item.id,
  event: item.event.id,
  type: item.event.type,
  account: item.event.account,
  endpoint: item.receiver.name,
  state: "waiting",
  attempts: item.attempts,
  createdAt: item.createdAt,
  since: item.since,
  nextAt: item.nextAt,
});

function toEnded(
  delivery: DeliveryDetail,
  end: Pick<Delivery, "state" | "endedAt" | "reason">,
): DeliveryDetail {
  const ended = { ...delivery, ...end };
  delete ended.nextAt;
  return ended;
}
