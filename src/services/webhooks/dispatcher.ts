import { StoreError } from "../../storage/errors.ts";
import type { Claim, DeliveryQueue, Settlement, Health } from "../../storage/deliveries/delivery-queue.ts";
import { type Alarm, createAlarm, type Wait } from "./alarm.ts";
import type { Runtime } from "../../runtime.ts";

/** Takes due deliveries from the queue and makes them concurrently. */
export interface Dispatcher {
  /** Deliveries in progress. */
  readonly running: number;
  /**
   * Claims nothing more, waits at most `graceMs` for deliveries in progress, and returns the rest to the queue, to be
   * made again with the same event.
   */
  stop(): Promise<void>;
}

export interface DispatcherOptions {
  queue: Pick<DeliveryQueue, "claim" | "settle" | "nextAt" | "onWake">;
  /** Makes one delivery. It throws for bugs and StoreErrors only; both leave the claim to the end of its lease. */
  deliver(claim: Claim, settle: Settle): Promise<void>;
  runtime: Runtime;
  wait: Wait;
  /** Most concurrent deliveries. */
  concurrency: number;
  /** Longer than any delivery takes. */
  leaseMs: number;
  /** Milliseconds for which deliveries added by another process may go unnoticed. */
  pollMs: number;
  graceMs?: number;
  /** Called with errors of the store and bugs. */
  onError(error: unknown): void;
}

/** Returns undefined if the claim is lost or nothing can be written: the attempt does not count then. */
export type Settle = (claim: Claim, result: Settlement) => Promise<Health | undefined>;

/** Milliseconds between two reads of a failing store. */
const faultMs = 1000;
/** Shortest wait: an endpoint with all its concurrent deliveries on other nodes is due but cannot be claimed. */
const leastMs = 50;
/** The share of `concurrency` that no single account may use: one in `reservedPart`. */
const reservedPart = 4;
/**
 * Milliseconds after which a settlement that the store does not accept is given up, so that the delivery is made again.
 */
const surrenderMs = 600_000;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { queue, deliver, runtime, wait, concurrency, leaseMs, onError } = options;
  const { pollMs, graceMs = 5000 } = options;
  const running = new Map<Claim, Promise<void>>();
  const alarm: Alarm = createAlarm(wait);
  const stopping = Promise.withResolvers<void>();
  let stopped = false;
  // Settlements that the store has not accepted yet.
  let troubled = 0;

  const endWake = queue.onWake(alarm.ring);
  const loop = run();

  async function run(): Promise<void> {
    while (!stopped) {
      alarm.reset();
      // While a store cannot record deliveries, every delivery would be repeated again and again.
      const room = troubled > 0 ? 0 : concurrency - running.size;
      await alarm.within(room > 0 ? await fill(room) : pollMs);
    }
  }

  /** Starts deliveries. Returns the milliseconds until there may be more, unless the alarm rings earlier. */
  async function fill(room: number): Promise<number> {
    try {
      const claims = await claimShare(room);
      for (const claim of claims) begin(claim);
      if (claims.length > 0) return 0;
      const at = await queue.nextAt();
      return at === undefined ? pollMs : Math.min(Math.max(at - runtime.now(), leastMs), pollMs);
    } catch (error) {
      onError(error);
      return faultMs;
    }
  }

  /**
   * Claims due deliveries in fair shares by account: first for accounts below their share, then the rest. No account
   * ever gets everything, so that others need not wait for its slow receivers.
   */
  async function claimShare(count: number): Promise<Claim[]> {
    const shares = new Map<string, number>();
    for (const { delivery } of running.keys())
      shares.set(delivery.account, (shares.get(delivery.account) ?? 0) + 1);
    const fair = Math.ceil(concurrency / (shares.size + 1));
    const max = Math.max(1, concurrency - Math.floor(concurrency / reservedPart));
    if (fair < max && Math.max(0, ...shares.values()) >= fair) {
      const claims = await queue.claim({ count, leaseMs, accounts: { max: fair, running: shares } });
      if (claims.length > 0) return claims;
    }
    return queue.claim({ count, leaseMs, accounts: { max, running: shares } });
  }

  function begin(claimed: Claim): void {
    const work = (stopped ? giveBack(claimed) : deliver(claimed, settle)).catch(onError).finally(() => {
      running.delete(claimed);
      alarm.ring();
    });
    running.set(claimed, work);
  }

  async function settle(claim: Claim, result: Settlement): Promise<Health | undefined> {
    const began = runtime.now();
    for (;;) {
      try {
        return await queue.settle(claim, result);
      } catch (error) {
        onError(error);
        if (!(error instanceof StoreError) || stopped || runtime.now() - began > surrenderMs)
          return undefined;
      }
      troubled++;
      await Promise.race([pause(faultMs), stopping.promise]);
      troubled--;
    }
  }

  /** Resolves when all works have ended, or after the grace period. */
  async function endOf(works: Iterable<Promise<void>>): Promise<void> {
    const patience = Promise.withResolvers<void>();
    const cancel = wait(graceMs, patience.resolve);
    await Promise.race([Promise.all(works), patience.promise]);
    cancel();
  }

  async function giveBack(claim: Claim): Promise<void> {
    await queue.settle(claim, { state: "waiting", nextAt: runtime.now() });
  }

  const pause = (ms: number): Promise<void> => new Promise((resolve) => void wait(ms, resolve));

  async function stop(): Promise<void> {
    stopped = true;
    endWake();
    stopping.resolve();
    alarm.ring();
    await loop;
    await endOf(running.values());
    // A late result of these settles a lost claim, which has no effect.
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
