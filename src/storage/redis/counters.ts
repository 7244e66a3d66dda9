import { ToolError } from "../../catalog/errors.ts";
import { windowSeconds } from "../counters.ts";
import { StoreError } from "../errors.ts";
import type { Counted, Counters, OnStoreError } from "../storage.ts";
import { toUnavailable } from "../unavailable.ts";
import { defaultIpv6Factor, networksOf } from "../networks.ts";
import { type Guard, TimeoutError } from "./guard.ts";
import type { HourLimiters, HourCount } from "./hour-limiters.ts";
import { type Batch, createLanes } from "./lanes.ts";
import { createKnownWindows, isKnown } from "./known-windows.ts";
import type { Runtime } from "../../runtime.ts";

/** The counters without the methods that window-copies.ts adds. */
export interface RedisCounters extends Omit<Counters, "windows" | "put"> {
  /** Counts the requests that were let through during an outage; call it when Redis is back. */
  settleDebts(): Promise<void>;
}

export interface RedisCountersOptions {
  limiters: HourLimiters;
  guard: Guard;
  /** What to do with requests while Redis cannot count them. */
  mode: OnStoreError;
  ipv6Factor?: number | undefined;
  /** Returns the number of live nodes as last seen, including this one. */
  nodes(): number;
  runtime: Runtime;
  /** Called for each decision made without Redis. */
  onDegraded(): void;
  onError(error: StoreError): void;
}

/** Longest wait for a count. It covers the round trip to a server in another region; known keys are looked up meanwhile. */
const countMs = 100;
/** The operator's commands can wait for a busy server. */
const patientMs = 2000;
/** Milliseconds for which a refusal is cached: a flood of refused calls costs two round trips a second. */
const refusalMs = 400;
/** Debts settled concurrently after an outage. */
const debtsAtOnce = 200;

export function createRedisCounters(options: RedisCountersOptions): RedisCounters {
  const { limiters, guard, mode, nodes, runtime, onDegraded, onError } = options;
  const { ipv6Factor = defaultIpv6Factor } = options;
  const windows = createKnownWindows(windowSeconds * 1000);
  const lanes = createLanes({ waitMs: countMs, runtime, send });

  async function send(batch: Batch): Promise<HourCount> {
    const { id, points, limit, whole, waitMs } = batch;
    settleDebt(id);
    return guard.run(
      "count",
      waitMs,
      () => limiters.consume(id, points, limit, whole),
      ({ used }) => countedLate(batch, used),
    );
  }

  async function consume(id: string, points: number, limit = Infinity): Promise<Counted> {
    const time = runtime.now();
    const known = windows.live(id, time);
    // Compared with the current limit, so that a raised one lets the next call through.
    if (known !== undefined && known.used + points > limit && isFresh(known.seenAt, time)) {
      return { allowed: false, used: known.used, resetAt: known.resetAt };
    }
    // Other nodes may not know yet that Redis is back and still use their shares, and so does this one.
    const reserved = mode === "share" && guard.settling;
    if (reserved && !takeShare(id, points, limit)) {
      onDegraded();
      throw shareUsedUp();
    }
    let share;
    try {
      share = await lanes.consume(id, points, limit);
    } catch (error) {
      onError(error as StoreError);
      return decideAlone(id, points, limit, reserved);
    }
    const allowed = share.used <= limit;
    // Refused points were not counted.
    const used = allowed ? share.used : Math.min(limit, share.used - points);
    const resetAt = windows.record(id, runtime.now(), used, share.msLeft, guard.settling);
    return { allowed, used, resetAt };
  }

  function decideAlone(id: string, points: number, limit: number, reserved: boolean): Counted {
    onDegraded();
    const window = windows.open(id, runtime.now());
    const { used, resetAt } = window;
    if (mode === "closed") throw unavailable("Requests cannot be counted now, so none are answered.");
    if (mode === "open") return { allowed: true, used: Math.min(limit, used + points), resetAt };
    // Redis itself reported that nothing is left, so this refusal is exact.
    if (isKnown(window) && used + points > limit) return { allowed: false, used, resetAt };
    if (!reserved && !takeShare(id, points, limit)) throw shareUsedUp();
    window.alone += points;
    return { allowed: true, used: Math.max(used, Math.min(limit, used + window.alone)), resetAt };
  }

  /**
   * Takes points of this node's share of what was left when the outage began, in all networks of an address. Returns false
   * if a share is used up.
   */
  function takeShare(id: string, points: number, limit: number): boolean {
    const outages = [id, ...networksOf(id, ipv6Factor)].map((one) => {
      const window = windows.open(one, runtime.now());
      return (window.outage ??= { used: window.used, spent: 0 });
    });
    const fits = outages.every(({ used, spent }, level) => {
      const share = Math.ceil((limit * ipv6Factor ** level - used) / Math.max(1, nodes()));
      return spent + points <= share;
    });
    if (fits) for (const outage of outages) outage.spent += points;
    return fits;
  }

  /** Gives back a count that came late: the request was decided without Redis, and must not be counted twice. */
  function countedLate({ id, points, limit, whole }: Batch, used: number): void {
    const left = limit - (used - points);
    const counted = left >= points ? points : whole ? 0 : Math.max(0, left);
    const window = windows.live(id, runtime.now());
    if (window !== undefined && mode !== "open") window.alone -= counted;
  }

  /** Sent before the next count of the same id, in the same packet. */
  function settleDebt(id: string): void {
    const window = windows.live(id, runtime.now());
    if (window === undefined || window.alone === 0 || !guard.up) return;
    const debt = window.alone;
    window.alone = 0;
    let late = false;
    /** Counts the debt. A count whose answer is late may still be carried out, unless the connection ends first. */
    async function count(): Promise<unknown> {
      try {
        return await (debt > 0 ? limiters.consume(id, debt, Infinity, true) : limiters.giveBack(id, -debt));
      } catch (error) {
        if (late) owe(id, debt);
        throw error;
      }
    }
    guard.run("count", countMs, count).catch((error: StoreError) => {
      if (isLate(error)) late = true;
      else owe(id, debt);
    });
  }

  /** Adds to what this node has let through uncounted in the window that is open. */
  function owe(id: string, debt: number): void {
    const window = windows.live(id, runtime.now());
    if (window !== undefined) window.alone += debt;
  }

  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await guard.run("count", patientMs, work);
    } catch (error) {
      onError(error as StoreError);
      throw toUnavailable(error as StoreError);
    }
  }

  return {
    consume,
    async giveBack(id, points) {
      const known = windows.live(id, runtime.now());
      if (known !== undefined) known.used = Math.max(0, known.used - points);
      await guard.run("count", countMs, () => limiters.giveBack(id, points)).catch(() => undefined);
    },
    seen(id) {
      const known = windows.live(id, runtime.now());
      return known && { used: Math.max(0, known.used + known.alone), resetAt: known.resetAt };
    },
    async peek(id) {
      const found = await patiently(() => limiters.get(id));
      return found === undefined ? undefined : { used: found.used, resetAt: runtime.now() + found.msLeft };
    },
    async reset(id) {
      windows.forget(id);
      await patiently(() => limiters.delete(id));
    },
    async settleDebts() {
      let sent = 0;
      for (const id of windows.owing()) {
        settleDebt(id);
        sent += 1;
        if (sent % debtsAtOnce === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

const isLate = (error: unknown): boolean =>
  error instanceof StoreError && error.cause instanceof TimeoutError;

/** If the clock was set back, everything counts as old. */
const isFresh = (since: number, time: number): boolean => time >= since && time - since < refusalMs;

/** Not a 429, after which a client may wait for an hour: Redis is back in seconds. */
const shareUsedUp = (): ToolError =>
  unavailable("This node's share of the quota is used up while requests cannot be counted.");

const unavailable = (message: string): ToolError =>
  new ToolError("storage_unavailable", message, { retryAfter: 1 });
