import { StoreError } from "../errors.ts";
import { makeDeliveryIds } from "./delivery-ids.ts";
import type { Claim, DeliveryDetail, DeliveryQueue, QueueOptions } from "./delivery-queue.ts";
import type { EndpointNote, Ledger } from "./ledger.ts";
import { createNewest } from "./newest.ts";
import { createSettling, toDelivery } from "./settling.ts";
import type { Waiting, WaitingSet } from "./waiting.ts";

/** The queue of one process: waiting deliveries are in memory, and every change is in the ledger before it counts. */
export function createLocalQueue<Body, Log>(
  options: Pick<QueueOptions, "runtime"> & { set: WaitingSet<Body, Log>; ledger: Ledger<Body, Log> },
): DeliveryQueue {
  type Item = Waiting<Body, Log>;
  const { runtime, set, ledger } = options;
  const listeners = new Set<() => void>();
  const inSequence = createSequence();
  const settling = createSettling({ set, ledger, time, wake });
  const { isHere, isClaimed, detail } = settling;
  let closed = false;

  function time(): number {
    if (closed) throw new StoreError("write", "The queue of deliveries is closed.");
    const at = runtime.now();
    set.observe(at);
    return at;
  }

  function wake(): void {
    for (const listener of listeners) listener();
  }

  async function bringForward(item: Item, at: number): Promise<void> {
    if (!set.take(item, at)) return;
    try {
      const next = { attempts: item.attempts, nextAt: at };
      await ledger.postpone(at, item, next, () => set.reschedule(item, at, at));
    } catch (error) {
      set.release(item, at);
      throw error;
    }
    wake();
  }

  async function note(at: number, what: EndpointNote, apply: () => void): Promise<void> {
    await ledger.note(at, what, apply);
    wake();
  }

  async function toClaims(items: readonly Item[], at: number): Promise<Claim[]> {
    const claims = items.map((item) => ({ item, delivery: toDelivery(item), fence: item.fence }));
    try {
      const bodies = await Promise.all(items.map(({ event }) => ledger.readBody(event.body)));
      const damaged = items.filter((_, index) => bodies[index] === undefined);
      if (damaged.length > 0) await settling.end(damaged, "The stored event is damaged.");
      return claims.flatMap(({ delivery, fence }, index) => {
        const body = bodies[index];
        return body === undefined ? [] : [{ delivery, body, fence }];
      });
    } catch (error) {
      for (const { item, fence } of claims)
        if (isHere(item) && item.fence === fence) set.reschedule(item, item.nextAt, at);
      throw error;
    }
  }

  return {
    add: (event, endpoints, once, urgent = false) =>
      inSequence([event.id, ...(once === undefined ? [] : [`once ${once.name}`])], async () => {
        const at = time();
        const isKnown = (): boolean =>
          set.event(event.id) !== undefined || (once !== undefined && set.wasOnce(once.name, at));
        if (isKnown() || (await ledger.hasEnded(event.id)) || isKnown()) return [];
        const receivers = [...new Set(endpoints)];
        if (receivers.length === 0 && once === undefined) return [];
        const ids = receivers.length === 0 ? [] : makeDeliveryIds(receivers.length, at, runtime.random);
        const arrivals = receivers.map((endpoint, index) => ({
          id: ids[index] as string,
          endpoint,
          attempts: 0,
          createdAt: at,
          since: at,
          nextAt: at,
          log: [],
        }));
        const added = await ledger.add(at, event, arrivals, once, (body) => {
          if (once !== undefined) set.remember(once);
          const items = arrivals.map((arrival) => set.insert({ ...event, body }, arrival, at));
          if (urgent) for (const item of items) set.hurry(item);
          return items.map(toDelivery);
        });
        wake();
        return added;
      }),
    async claim(limits) {
      const at = time();
      const items = set.claim(at, limits);
      return items.length === 0 ? [] : toClaims(items, at);
    },
    async get(id) {
      const item = set.get(id);
      if (item === undefined) return ledger.find(id);
      const known = await detail(item);
      return isHere(item) ? known : ledger.find(id);
    },
    async list(query) {
      const newest = createNewest(query);
      for (const item of set.all()) newest.see(toDelivery(item));
      if (query.state !== "waiting") await ledger.search(query, newest, (id) => set.get(id) !== undefined);
      return newest.items();
    },
    redeliver: (id) =>
      inSequence([id], async () => {
        const item = set.get(id);
        const at = time();
        if (item !== undefined) {
          // A claimed delivery is being attempted now.
          if (!isClaimed(item)) await bringForward(item, at);
          return toDelivery(item);
        }
        const ended = await ledger.find(id);
        if (ended === undefined) return undefined;
        const anew: DeliveryDetail = { ...ended, state: "waiting", attempts: 0, since: at, nextAt: at };
        delete anew.endedAt;
        delete anew.reason;
        const delivery = await ledger.revive(at, anew, (body, log) => {
          const { event, type, account } = anew;
          const arrival = { ...anew, log, nextAt: at };
          return toDelivery(set.insert({ id: event, type, account, body }, arrival, at));
        });
        wake();
        return delivery;
      }),
    async hold(endpoint, until) {
      const at = time();
      await note(at, { endpoint, heldUntil: until }, () => set.hold(endpoint, until, at));
    },
    health: async (endpoint) => set.health(endpoint),
    async resetHealth(endpoint) {
      const at = time();
      await note(at, { endpoint, isReset: true }, () =>
        set.mend(endpoint, { failures: 0, lastFailureAt: 0 }, at),
      );
    },
    settle: settling.settle,
    fail: settling.fail,
    prune: settling.prune,
    stats: async () => set.stats(),
    nextAt: async () => set.nextAt(time()),
    onWake(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      closed = true;
      await ledger.close();
    },
  };
}

/** Runs work one at a time for each name. */
type Sequence = <Result>(names: readonly string[], work: () => Promise<Result>) => Promise<Result>;

/** Calls with a name in common wait for one another, whatever their outcome; other calls do not. */
function createSequence(): Sequence {
  const last = new Map<string, Promise<unknown>>();
  return (names, work) => {
    const before = names.flatMap((name) => last.get(name) ?? []);
    const done = before.length === 0 ? work() : Promise.all(before).then(work);
    const over = done.then(
      () => undefined,
      () => undefined,
    );
    for (const name of names) last.set(name, over);
    void over.then(() => {
      for (const name of names) if (last.get(name) === over) last.delete(name);
      return undefined;
    });
    return done;
  };
}
