import type { AccountShares, ClaimOptions, Once, QueueOptions, QueueStats } from "./delivery-queue.ts";
import type { Heaped } from "./heap.ts";
import { createEndpointHealth, type EndpointHealth } from "./endpoint-health.ts";
import { createLeases } from "./leases.ts";
import { createOnceNames } from "./once-names.ts";
import { claimInTurn, createTurns, type Receiver } from "./turns.ts";

/** An event with waiting deliveries; `Body` is its body or the place of it. */
export interface WaitingEvent<Body> {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  body: Body;
  /** Number of waiting deliveries. */
  left: number;
}

/** A delivery that waits or is being attempted; `Log` is an attempt or the place of one. */
export interface Waiting<Body, Log> extends Heaped {
  readonly id: string;
  readonly event: WaitingEvent<Body>;
  readonly receiver: Receiver<Waiting<Body, Log>>;
  readonly createdAt: number;
  since: number;
  attempts: number;
  nextAt: number;
  /** One empty list is shared by all deliveries without attempts. */
  log: readonly Log[];
  /** Order of arrival: of two deliveries due at the same moment, the lower comes first. */
  readonly order: number;
  /** The fence of the last claim that was not settled; 0 if there is none. */
  fence: number;
  leaseEnd: number;
  /** Set while a change of the delivery is being written. */
  settling: boolean;
}

export type Arrival<Log> = { id: string; endpoint: string; createdAt: number; log: readonly Log[] } & Pick<
  Waiting<unknown, Log>,
  "since" | "attempts" | "nextAt"
>;

export interface WaitingSet<Body, Log> extends EndpointHealth<Waiting<Body, Log>> {
  event(id: string): WaitingEvent<Body> | undefined;
  get(id: string): Waiting<Body, Log> | undefined;
  /** Ordered by the start of the wait. */
  all(): Iterable<Waiting<Body, Log>>;
  of(endpoint: string): Waiting<Body, Log>[];
  /** If the event is known, its body is replaced. */
  insert(event: Omit<WaitingEvent<Body>, "left">, arrival: Arrival<Log>, at: number): Waiting<Body, Log>;
  claim(at: number, options: ClaimOptions): Waiting<Body, Log>[];
  /** Lets the next claim take this delivery first. */
  hurry(delivery: Waiting<Body, Log>): void;
  /** Reserves a delivery until it is released, rescheduled or removed. Returns false if it is reserved. */
  take(delivery: Waiting<Body, Log>, at: number): boolean;
  /** Undoes `take`. */
  release(delivery: Waiting<Body, Log>, at: number): void;
  /** Makes a delivery wait until `nextAt`; a claim on it is lost. */
  reschedule(delivery: Waiting<Body, Log>, nextAt: number, at: number): void;
  remove(delivery: Waiting<Body, Log>, at: number): void;
  wasOnce(name: string, at: number): boolean;
  remember(once: Once): void;
  once(): Iterable<Once>;
  /** Removes expired names. */
  forgetOnce(at: number): void;
  stats(): QueueStats;
  nextAt(at: number): number | undefined;
  /** Sets the current time; call it first. If the clock was set back, nothing waits longer because of it. */
  observe(at: number): void;
  /** Number of times the clock was set back. */
  shifts(): number;
}

/** Milliseconds by which a clock may go back without having been set. */
const slewMs = 1_000;

/**
 * The waiting deliveries in memory: who may claim what, and when. It uses no clock, disk or randomness; callers pass
 * the time, so that the same calls, read from a journal, lead to the same state.
 */
export function createWaitingSet<Body, Log>(
  options: Pick<QueueOptions, "perEndpoint" | "circuit">,
): WaitingSet<Body, Log> {
  type Item = Waiting<Body, Log>;
  const deliveries = new Map<string, Item>();
  const events = new Map<string, WaitingEvent<Body>>();
  const once = createOnceNames();
  const urgent: Item[] = [];
  const turns = createTurns<Item>(
    {
      dueAt: ({ nextAt }) => nextAt,
      isBefore: (one, other) =>
        one.nextAt === other.nextAt ? one.order < other.order : one.nextAt < other.nextAt,
    },
    options,
  );
  const leases = createLeases(turns);
  let orders = 0;
  let fences = 0;
  let latest = -Infinity;
  let shifts = 0;

  return {
    event: (id) => events.get(id),
    get: (id) => deliveries.get(id),
    all: () => deliveries.values(),
    of(endpoint) {
      const receiver = turns.seen(endpoint);
      if (receiver === undefined) return [];
      return [...receiver.due.items(), ...leases.of(receiver)];
    },
    insert({ id, type, account, body }, arrival, at) {
      let event = events.get(id);
      if (event === undefined) {
        event = { id, type, account, body, left: 0 };
        events.set(id, event);
      } else event.body = body;
      const receiver = turns.of(arrival.endpoint);
      // Built field by field, so that all items share one hidden class: there may be a hundred thousand.
      const item: Item = {
        id: arrival.id,
        event,
        receiver,
        createdAt: arrival.createdAt,
        since: arrival.since,
        attempts: arrival.attempts,
        nextAt: arrival.nextAt,
        log: arrival.log,
        order: orders++,
        fence: 0,
        leaseEnd: 0,
        settling: false,
        slot: -1,
      };
      event.left++;
      deliveries.set(item.id, item);
      receiver.due.push(item);
      turns.refile(receiver, at);
      return item;
    },
    claim(at, { count, leaseMs, accounts }) {
      leases.expire(at);
      const claimed: Item[] = [];
      const room = createRoom(accounts);
      const claim = (item: Item): void => {
        item.fence = ++fences;
        leases.give(item, at + leaseMs);
        turns.refile(item.receiver, at);
        room.take(item.event.account);
        claimed.push(item);
      };
      while (claimed.length < count && urgent.length > 0) {
        const item = urgent.shift() as Item;
        if (deliveries.get(item.id) === item && !leases.has(item)) claim(item);
      }
      const mayClaim = (item: Item): boolean => room.has(item.event.account);
      claimInTurn(turns, at, count - claimed.length, mayClaim, claim);
      return claimed;
    },
    hurry: (item) => void urgent.push(item),
    take(item, at) {
      if (item.settling || deliveries.get(item.id) !== item) return false;
      if (!leases.has(item)) leases.give(item, at);
      item.settling = true;
      turns.refile(item.receiver, at);
      return true;
    },
    release(item, at) {
      item.settling = false;
      leases.heed(item);
      leases.expire(at);
    },
    reschedule(item, nextAt, at) {
      item.receiver.due.remove(item);
      item.nextAt = nextAt;
      item.fence = 0;
      leases.back(item, at);
    },
    remove(item, at) {
      leases.giveUp(item);
      item.receiver.due.remove(item);
      deliveries.delete(item.id);
      if (--item.event.left === 0) events.delete(item.event.id);
      turns.refile(item.receiver, at);
    },
    ...createEndpointHealth(turns, () => latest),
    wasOnce: once.was,
    remember: once.remember,
    once: once.all,
    forgetOnce: once.forget,
    stats() {
      const [oldest] = deliveries.values();
      return { depth: deliveries.size, ...(oldest !== undefined && { oldestAt: oldest.since }) };
    },
    nextAt(at) {
      leases.expire(at);
      const next = Math.min(urgent.length > 0 ? at : turns.nextAt(), leases.nextAt());
      return next === Infinity ? undefined : next;
    },
    observe(at) {
      const ms = latest - at;
      if (ms <= slewMs) {
        latest = Math.max(latest, at);
        return;
      }
      shifts += 1;
      latest = at;
      leases.shift(ms);
      turns.shift(ms, at);
      for (const item of deliveries.values()) {
        item.nextAt -= ms;
        item.leaseEnd -= ms;
        item.since = Math.min(item.since, at);
      }
    },
    shifts: () => shifts,
  };
}

/** Claims that each account may still get in one call. */
interface Room {
  has(account: string): boolean;
  take(account: string): void;
}

function createRoom({ max, running }: AccountShares = { max: Infinity, running: new Map() }): Room {
  const used = new Map(running);
  const usedBy = (account: string): number => used.get(account) ?? 0;
  return {
    has: (account) => usedBy(account) < max,
    take: (account) => void used.set(account, usedBy(account) + 1),
  };
}
