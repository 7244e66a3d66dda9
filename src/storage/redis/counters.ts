import { ToolError } from "../../catalog/errors.ts";
import { windowSeconds } from "../counters.ts";
import type { StoreError } from "../errors.ts";
import type { Count, Counted, Counters, Limited, OnStoreError } from "../storage.ts";
import { toUnavailable } from "../unavailable.ts";
import { defaultIpv6Factor } from "../networks.ts";
import { createDebts } from "./debts.ts";
import type { Guard } from "./guard.ts";
import type { HourLimiters, HourCount } from "./hour-limiters.ts";
import { type Batch, createLanes } from "./lanes.ts";
import { createKnownWindows, isKnown } from "./known-windows.ts";
import type { Runtime } from "../../runtime.ts";

/** The counters without the methods that window-copies.ts adds. */
export interface RedisCounters extends Omit<Counters, "windows" | "put"> {
  consume(id: string, points: number, limit?: number, beside?: readonly Limited[]): Promise<Counted>;
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

export function createRedisCounters(options: RedisCountersOptions): RedisCounters {
  const { limiters, guard, mode, nodes, runtime, onDegraded, onError } = options;
  const { ipv6Factor = defaultIpv6Factor } = options;
  const windows = createKnownWindows(windowSeconds * 1000, ipv6Factor);
  const debts = createDebts({ windows, limiters, guard, waitMs: countMs, runtime });
  const lanes = createLanes({ waitMs: countMs, runtime, send });

  async function send(batch: Batch): Promise<HourCount> {
    const { id, points, limit, beside, whole, waitMs } = batch;
    debts.settle(id);
    for (const other of beside) debts.settle(other.id);
    return guard.run(
      "count",
      waitMs,
      () => limiters.consume(id, points, limit, whole, beside),
      (count) => countedLate(batch, count),
    );
  }

  async function consume(
    id: string,
    points: number,
    limit = Infinity,
    beside: readonly Limited[] = [],
  ): Promise<Counted> {
    const time = runtime.now();
    const counters = [{ id, limit }, ...beside];
    // Compared with the current limits, so that a raised one lets the next call through.
    const isRefused = counters.some((counter) => {
      const known = windows.live(counter.id, time);
      return known !== undefined && known.used + points > counter.limit && isFresh(known.seenAt, time);
    });
    if (isRefused) return toCounted(false, counters.map(seenIn));
    // Other nodes may not know yet that Redis is back and still use their shares, and so does this one.
    const reserved = mode === "share" && guard.settling;
    if (reserved && !windows.takeShare(counters, points, { time: runtime.now(), nodes: nodes() })) {
      onDegraded();
      throw shareUsedUp();
    }
    let share;
    try {
      share = await lanes.consume(id, points, limit, beside);
    } catch (error) {
      onError(error as StoreError);
      return decideAlone(counters, points, reserved);
    }
    const counts = [share, ...share.beside];
    const over = Math.max(...counts.map(({ used }, n) => used - limitOf(counters, n)));
    // Refused points were not counted: those of one request, or those of a batch that did not fit.
    const uncounted = over <= 0 ? 0 : points > 1 ? points : over;
    const found = counts.map(({ used, msLeft }, n): Count => {
      const { id: name, limit: most } = counters[n] as Limited;
      const counted = over <= 0 ? used : Math.min(most, used - uncounted);
      const resetAt = windows.record(name, runtime.now(), counted, msLeft, guard.settling);
      return { used: counted, resetAt };
    });
    return toCounted(over <= 0, found);
  }

  /** Returns the count that this node has seen last. */
  function seenIn({ id }: Limited): Count {
    const { used, resetAt } = windows.open(id, runtime.now());
    return { used, resetAt };
  }

  function decideAlone(counters: readonly Limited[], points: number, reserved: boolean): Counted {
    onDegraded();
    if (mode === "closed") throw unavailable("Requests cannot be counted now, so none are answered.");
    const known = counters.map(({ id }) => windows.open(id, runtime.now()));
    const counts = (alone: (n: number) => number): Count[] =>
      known.map(({ used, resetAt }, n) => {
        const together = Math.min(limitOf(counters, n), used + alone(n));
        return { used: Math.max(used, together), resetAt };
      });
    if (mode === "open")
      return toCounted(
        true,
        counts(() => points),
      );
    // Redis itself reported that nothing is left, so this refusal is exact.
    if (known.some((one, n) => isKnown(one) && one.used + points > limitOf(counters, n)))
      return toCounted(
        false,
        counts(() => 0),
      );
    if (!reserved && !windows.takeShare(counters, points, { time: runtime.now(), nodes: nodes() }))
      throw shareUsedUp();
    for (const one of known) one.alone += points;
    return toCounted(
      true,
      counts((n) => known[n]?.alone ?? 0),
    );
  }

  /** Gives back a count that came late: the request was decided without Redis, and must not be counted twice. */
  function countedLate({ id, points, limit, beside, whole }: Batch, count: HourCount): void {
    const counters = [{ id, limit }, ...beside];
    const lefts = [count, ...count.beside].map(({ used }, n) => limitOf(counters, n) - (used - points));
    const left = Math.min(...lefts);
    const counted = left >= points ? points : whole ? 0 : Math.max(0, left);
    for (const counter of counters) {
      const known = windows.live(counter.id, runtime.now());
      if (known !== undefined && mode !== "open") known.alone -= counted;
    }
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
    settleDebts: debts.settleAll,
  };
}

const limitOf = (counters: readonly Limited[], n: number): number => counters[n]?.limit ?? Infinity;

function toCounted(allowed: boolean, [first, ...beside]: readonly Count[]): Counted {
  return { allowed, ...(first as Count), ...(beside.length > 0 && { beside }) };
}

/** If the clock was set back, everything counts as old. */
const isFresh = (since: number, time: number): boolean => time >= since && time - since < refusalMs;

/** Not a 429, after which a client may wait for an hour: Redis is back in seconds. */
const shareUsedUp = (): ToolError =>
  unavailable("This node's share of the quota is used up while requests cannot be counted.");

const unavailable = (message: string): ToolError =>
  new ToolError("storage_unavailable", message, { retryAfter: 1 });
