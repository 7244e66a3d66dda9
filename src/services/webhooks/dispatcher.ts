import { StoreError } from "../storage/errors.ts";
import type { Claim, DeliveryQueue, Settlement, Health } from "../storage/deliveries/delivery-queue.ts";
import { type Alarm, createAlarm, type Wait } from "./alarm.ts";

/** Takes what is due out of the queue and has it delivered, as much at once as may be. */
export interface Dispatcher {
  /** Deliveries that are being made. */
  readonly running: number;
  /**
   * Claims nothing more, lets what runs come to its end for `graceMs` at most, and gives the rest back: somebody else makes
   * those again, with the same event.
   */
  stop(): Promise<void>;
}

export interface DispatcherOptions {
  queue: Pick<DeliveryQueue, "claim" | "settle" | "nextAt" | "onWake">;
  /** Makes one delivery. What it throws is a bug, or a StoreError; both leave the claim to the end of its lease. */
  deliver(claim: Claim, settle: Settle): Promise<void>;
  /** Epoch milliseconds, of the clock of `wait`. */
  now(): number;
  wait: Wait;
  /** Deliveries at once. */
  concurrency: number;
  /** Longer than any delivery takes. */
  leaseMs: number;
  /** How long what another process has added may go unnoticed. */
  pollMs: number;
  graceMs?: number;
  /** Told of what the store throws and of bugs. */
  onError(error: unknown): void;
}

/** Undefined where the claim is no longer ours, or nothing can be written: what was done counts for nothing then. */
export type Settle = (claim: Claim, result: Settlement) => Promise<Health | undefined>;

/** Between two looks at a store that fails. */
const faultMs = 1000;
/** An endpoint that has all it may have at once on other nodes is due, and cannot be claimed. */
const leastMs = 50;
/** One account alone never gets this part of `concurrency`: a quarter. */
const reservedPart = 4;
/** After that long a settlement that the store does not take is given up, and the delivery made again. */
const surrenderMs = 600_000;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { queue, deliver, now, wait, concurrency, leaseMs, onError } = options;
  const { pollMs, graceMs = 5000 } = options;
  const running = new Map<Claim, Promise<void>>();
  const alarm: Alarm = createAlarm(wait);
  const stopping = Promise.withResolvers<void>();
  let stopped = false;
  // Settlements that the store has not taken yet.
  let troubled = 0;

  const endWake = queue.onWake(alarm.ring);
  const loop = run();

  async function run(): Promise<void> {
    while (!stopped) {
      alarm.reset();
      // To a store that cannot note what was delivered, everything would be delivered again and again.
      const room = troubled > 0 ? 0 : concurrency - running.size;
      await alarm.within(room > 0 ? await fill(room) : pollMs);
    }
  }

  /** Starts what may be started; milliseconds until there may be more, unless the alarm rings before. */
  async function fill(room: number): Promise<number> {
    try {
      const claims = await claimShare(room);
      for (const claim of claims) begin(claim);
      if (claims.length > 0) return 0;
      const at = await queue.nextAt();
      return at === undefined ? pollMs : Math.min(Math.max(at - now(), leastMs), pollMs);
    } catch (error) {
      onError(error);
      return faultMs;
    }
  }

  /**
   * Claims what is due, shared by accounts: first for those below their fair share, then the rest. One account never gets
   * everything, so that others need not wait for its slow receivers.
   */
  async function claimShare(count: number): Promise<Claim[]> {
    const shares = new Map<string, number>();
    for (const { delivery } of running.keys())
      shares.set(delivery.account, (shares.get(delivery.account) ?? 0) + 1);
    const fair = Math.ceil(concurrency / (shares.size + 1));
    const most = Math.max(1, concurrency - Math.floor(concurrency / reservedPart));
    if (fair < most && Math.max(0, ...shares.values()) >= fair) {
      const claims = await queue.claim({ count, leaseMs, accounts: { most: fair, running: shares } });
      if (claims.length > 0) return claims;
    }
    return queue.claim({ count, leaseMs, accounts: { most, running: shares } });
  }

  function begin(claimed: Claim): void {
    const work = (stopped ? giveBack(claimed) : deliver(claimed, settle)).catch(onError).finally(() => {
      running.delete(claimed);
      alarm.ring();
    });
    running.set(claimed, work);
  }

  async function settle(claim: Claim, result: Settlement): Promise<Health | undefined> {
    const began = now();
    for (;;) {
      try {
        return await queue.settle(claim, result);
      } catch (error) {
        onError(error);
        if (!(error instanceof StoreError) || stopped || now() - began > surrenderMs) return undefined;
      }
      troubled++;
      await Promise.race([pause(faultMs), stopping.promise]);
      troubled--;
    }
  }

  /** Of everything, or of patience. */
  async function endOf(works: Iterable<Promise<void>>): Promise<void> {
    const patience = Promise.withResolvers<void>();
    const cancel = wait(graceMs, patience.resolve);
    await Promise.race([Promise.all(works), patience.promise]);
    cancel();
  }

  async function giveBack(claim: Claim): Promise<void> {
    await queue.settle(claim, { state: "waiting", nextAt: now() });
  }

  const pause = (ms: number): Promise<void> => new Promise((resolve) => void wait(ms, resolve));

  async function stop(): Promise<void> {
    stopped = true;
    endWake();
    stopping.resolve();
    alarm.ring();
    await loop;
    await endOf(running.values());
    // What comes of these after all is settled by a claim that is lost.
    await Promise.all([...running.keys()].map((claim) => giveBack(claim).catch(onError)));
  }

  let end: Promise<void> | undefined;
  return {
    get running() {
      return running.size;
    },
    stop: () => (end ??= stop()),
  };
}
