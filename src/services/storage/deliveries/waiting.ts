import type { Attempt, ClaimOptions, Health, Once, QueueOptions, QueueStats } from "./delivery-queue.ts";
import type { Heaped } from "./heap.ts";
import { createOnceNames } from "./once-names.ts";
import { createRoom } from "./room.ts";
import { claimInTurn, createTurns, type Receiver } from "./turns.ts";

/** An event that something waits of; `Body` is its body, or where that lies. */
export interface WaitingEvent<Body> {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  body: Body;
  /** Deliveries that wait. */
  left: number;
}

/** A delivery that waits or is being made; `Log` is an attempt, or where one lies. */
export interface Waiting<Body, Log> extends Heaped {
  readonly id: string;
  readonly event: WaitingEvent<Body>;
  readonly receiver: Receiver<Waiting<Body, Log>>;
  readonly createdAt: number;
  since: number;
  attempts: number;
  nextAt: number;
  /** Shared by all that have none. */
  log: readonly Log[];
  /** In which it came: of two that are due at the same moment the first goes first. */
  readonly order: number;
  /** Of the last claim that was not settled; 0 where there is none. */
  fence: number;
  leaseEnd: number;
  /** What becomes of it is being written down. */
  settling: boolean;
}

export type Arrival<Log> = { id: string; endpoint: string; createdAt: number; log: readonly Log[] } & Pick<
  Waiting<unknown, Log>,
  "since" | "attempts" | "nextAt"
>;

export interface WaitingSet<Body, Log> {
  event(id: string): WaitingEvent<Body> | undefined;
  get(id: string): Waiting<Body, Log> | undefined;
  /** What has waited longest first. */
  all(): Iterable<Waiting<Body, Log>>;
  of(endpoint: string): Waiting<Body, Log>[];
  /** Its event may be here already: then its body is there from now on too. */
  insert(event: Omit<WaitingEvent<Body>, "left">, arrival: Arrival<Log>, at: number): Waiting<Body, Log>;
  claim(at: number, options: ClaimOptions): Waiting<Body, Log>[];
  /** The next claim takes it first. */
  hurry(delivery: Waiting<Body, Log>): void;
  /** Keeps it from everybody until it is released, rescheduled or removed. False where somebody has it so. */
  take(delivery: Waiting<Body, Log>, at: number): boolean;
  /** As it was before it was taken. */
  release(delivery: Waiting<Body, Log>, at: number): void;
  /** Waits until then; whoever had claimed it has lost it. */
  reschedule(delivery: Waiting<Body, Log>, nextAt: number, at: number): void;
  remove(delivery: Waiting<Body, Log>, at: number): void;
  /** Counts an attempt at this endpoint. */
  count(endpoint: string, attempt: Pick<Attempt, "at" | "outcome">, at: number): void;
  health(endpoint: string): Health;
  /** What an endpoint was known for, from before a restart; all of it in the place of what there is. */
  mend(endpoint: string, health: Health & { lastFailureAt: number }, at: number): void;
  hold(endpoint: string, until: number, at: number): void;
  /** Those that have failed or are held. */
  troubled(): Iterable<Receiver<Waiting<Body, Log>>>;
  wasOnce(name: string, at: number): boolean;
  remember(once: Once): void;
  once(): Iterable<Once>;
  /** Of those that are over. */
  forgetOnce(at: number): void;
  stats(): QueueStats;
  nextAt(at: number): number | undefined;
  /** Has to be told of the time first: notices a clock that was set back, and what waits does not wait for longer. */
  observe(at: number): void;
  /** How often that was. */
  shifts(): number;
}

/** By which a clock may go back without anybody having set it. */
const slewMs = 1_000;

/**
 * What waits, in memory: who may be claimed when and by whom. It knows no clock, no disk and no randomness; whoever
 * calls it says what time it is, so that the same calls, read from a journal, lead to the same state.
 */
export function createWaitingSet<Body, Log>(
  options: Pick<QueueOptions, "perEndpoint" | "circuit">,
): WaitingSet<Body, Log> {
  type Item = Waiting<Body, Log>;
  const deliveries = new Map<string, Item>();
  const events = new Map<string, WaitingEvent<Body>>();
  const once = createOnceNames();
  const leased = new Set<Item>();
  const urgent: Item[] = [];
  const turns = createTurns<Item>(
    {
      dueAt: ({ nextAt }) => nextAt,
      isBefore: (one, other) =>
        one.nextAt === other.nextAt ? one.order < other.order : one.nextAt < other.nextAt,
    },
    options,
  );
  let orders = 0;
  let fences = 0;
  let latest = -Infinity;
  let shifts = 0;
  /** None ends before. */
  let leasesEnd = Infinity;

  function lease(item: Item, end: number): void {
    item.receiver.due.remove(item);
    item.receiver.inFlight++;
    item.leaseEnd = end;
    leased.add(item);
    leasesEnd = Math.min(leasesEnd, end);
  }

  function giveUp(item: Item): void {
    if (leased.delete(item)) item.receiver.inFlight--;
    item.leaseEnd = 0;
    item.settling = false;
  }

  /** What was claimed and not settled in time may be claimed again. */
  function expire(at: number): void {
    if (at < leasesEnd) return;
    leasesEnd = Infinity;
    for (const item of leased) {
      if (item.settling) continue;
      if (item.leaseEnd > at) leasesEnd = Math.min(leasesEnd, item.leaseEnd);
      else back(item, at);
    }
  }

  function back(item: Item, at: number): void {
    giveUp(item);
    item.receiver.due.remove(item);
    item.receiver.due.push(item);
    turns.refile(item.receiver, at);
  }

  return {
    event: (id) => events.get(id),
    get: (id) => deliveries.get(id),
    all: () => deliveries.values(),
    of(endpoint) {
      const receiver = turns.seen(endpoint);
      if (receiver === undefined) return [];
      return [...receiver.due.items(), ...[...leased].filter((item) => item.receiver === receiver)];
    },
    insert({ id, type, account, body }, arrival, at) {
      let event = events.get(id);
      if (event === undefined) {
        event = { id, type, account, body, left: 0 };
        events.set(id, event);
      } else event.body = body;
      const receiver = turns.of(arrival.endpoint);
      // Field by field, so that all are of one shape: there may be a hundred thousand.
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
      expire(at);
      const claimed: Item[] = [];
      const room = createRoom(accounts);
      const claim = (item: Item): void => {
        item.fence = ++fences;
        lease(item, at + leaseMs);
        turns.refile(item.receiver, at);
        room.take(item.event.account);
        claimed.push(item);
      };
      while (claimed.length < count && urgent.length > 0) {
        const item = urgent.shift() as Item;
        if (deliveries.get(item.id) === item && !leased.has(item)) claim(item);
      }
      const mayClaim = (item: Item): boolean => room.has(item.event.account);
      claimInTurn(turns, at, count - claimed.length, mayClaim, claim);
      return claimed;
    },
    hurry: (item) => void urgent.push(item),
    take(item, at) {
      if (item.settling || deliveries.get(item.id) !== item) return false;
      if (!leased.has(item)) lease(item, at);
      item.settling = true;
      turns.refile(item.receiver, at);
      return true;
    },
    release(item, at) {
      item.settling = false;
      leasesEnd = Math.min(leasesEnd, item.leaseEnd);
      expire(at);
    },
    reschedule(item, nextAt, at) {
      item.receiver.due.remove(item);
      item.nextAt = nextAt;
      item.fence = 0;
      back(item, at);
    },
    remove(item, at) {
      giveUp(item);
      item.receiver.due.remove(item);
      deliveries.delete(item.id);
      if (--item.event.left === 0) events.delete(item.event.id);
      turns.refile(item.receiver, at);
    },
    count(endpoint, attempt, at) {
      const receiver = turns.of(endpoint);
      if (attempt.outcome === "ok") {
        receiver.failures = 0;
        delete receiver.failingSince;
      } else {
        receiver.failures++;
        receiver.failingSince ??= attempt.at;
        receiver.lastFailureAt = at;
      }
      turns.refile(receiver, at);
    },
    health(endpoint) {
      const { failures = 0, failingSince } = turns.seen(endpoint) ?? {};
      return { failures, ...(failingSince !== undefined && { failingSince }) };
    },
    mend(endpoint, { failures, failingSince, lastFailureAt }, at) {
      const receiver = turns.of(endpoint);
      receiver.failures = failures;
      if (failingSince === undefined) delete receiver.failingSince;
      else receiver.failingSince = failingSince;
      receiver.lastFailureAt = lastFailureAt;
      turns.refile(receiver, at);
    },
    hold(endpoint, until, at) {
      const receiver = turns.of(endpoint);
      receiver.heldUntil = until;
      turns.refile(receiver, at);
    },
    *troubled() {
      for (const receiver of turns.all())
        if (receiver.failures > 0 || receiver.heldUntil > latest) yield receiver;
    },
    wasOnce: once.was,
    remember: once.remember,
    once: once.all,
    forgetOnce: once.forget,
    stats() {
      const [oldest] = deliveries.values();
      return { depth: deliveries.size, ...(oldest !== undefined && { oldestAt: oldest.since }) };
    },
    nextAt(at) {
      expire(at);
      let next = urgent.length > 0 ? at : turns.nextAt();
      for (const { receiver, leaseEnd, settling } of leased)
        if (!settling) next = Math.min(next, turns.gateAfter(receiver, leaseEnd));
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
      leasesEnd -= ms;
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
