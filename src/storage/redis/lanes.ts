import type { Runtime } from "../../runtime.ts";
import type { Limited } from "../storage.ts";
import type { HourCount } from "./hour-limiters.ts";

export interface Lanes {
  /**
   * Counts together with other requests that wait for the same counters and limits. Returns for each counter the use as if the points of
   * this request had been counted.
   */
  consume(id: string, points: number, limit: number, beside?: readonly Limited[]): Promise<HourCount>;
}

/** Points that go into one script. */
export interface Batch {
  id: string;
  points: number;
  limit: number;
  beside: readonly Limited[];
  /** All or none: the points are of one request. Otherwise they are of requests with one point each. */
  whole: boolean;
  /** Milliseconds left for the request that has waited longest. */
  waitMs: number;
}

interface Waiter {
  points: number;
  limit: number;
  beside: readonly Limited[];
  since: number;
  resolve(count: HourCount): void;
  reject(error: unknown): void;
}

interface Lane {
  underWay: number;
  waiting: Waiter[];
  timer: NodeJS.Timeout | undefined;
}

/**
 * How long a request waits for the answer to the one before it. With a near Redis that covers many answers; with a
 * distant one, waiting for one answer and then for its own would take too long.
 */
const gatherMs = 5;

/**
 * Requests that arrive while a script for their id is in flight share the next one. A single request costs one round
 * trip; a thousand concurrent requests of one caller cost Redis two scripts, not a thousand.
 */
export function createLanes(options: {
  waitMs: number;
  runtime: Runtime;
  send(batch: Batch): Promise<HourCount>;
}): Lanes {
  const { waitMs, runtime, send } = options;
  const lanes = new Map<string, Lane>();

  function consume(
    id: string,
    points: number,
    limit: number,
    beside: readonly Limited[] = [],
  ): Promise<HourCount> {
    return new Promise((resolve, reject) => {
      const waiter = { points, limit, beside, since: runtime.monotonic(), resolve, reject };
      const lane = lanes.get(id);
      if (lane === undefined) {
        const opened: Lane = { underWay: 0, waiting: [waiter], timer: undefined };
        lanes.set(id, opened);
        flush(id, opened);
        return;
      }
      lane.waiting.push(waiter);
      lane.timer ??= setTimeout(flush, gatherMs, id, lane);
    });
  }

  function flush(id: string, lane: Lane): void {
    clearTimeout(lane.timer);
    lane.timer = undefined;
    for (let batch = takeBatch(lane); batch.length > 0; batch = takeBatch(lane)) void drive(id, lane, batch);
    if (lane.underWay === 0) lanes.delete(id);
  }

  async function drive(id: string, lane: Lane, batch: Waiter[]): Promise<void> {
    const [{ limit, beside, since, points: each }] = batch as [Waiter];
    const points = each * batch.length;
    lane.underWay += 1;
    try {
      const left = Math.max(1, waitMs - (runtime.monotonic() - since));
      const counts = await send({ id, points, limit, beside, whole: each > 1, waitMs: left });
      let behind = points;
      for (const waiter of batch) {
        behind -= waiter.points;
        const others = counts.beside.map(({ used, msLeft }) => ({ used: used - behind, msLeft }));
        waiter.resolve({ ...counts, used: counts.used - behind, beside: others });
      }
    } catch (error) {
      for (const waiter of batch) waiter.reject(error);
    }
    lane.underWay -= 1;
    flush(id, lane);
  }

  return { consume };
}

/**
 * Takes the waiters at the front that fit into one script: the same counters and limits, and one point each, so that no request is
 * half counted.
 */
function takeBatch({ waiting }: Lane): Waiter[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const end = waiting.findIndex((waiter) => waiter.points !== 1 || !isAlike(waiter, first));
  return waiting.splice(0, first.points === 1 ? (end === -1 ? waiting.length : end) : 1);
}

const isAlike = (one: Waiter, other: Waiter): boolean =>
  one.limit === other.limit &&
  one.beside.length === other.beside.length &&
  one.beside.every(({ id, limit }, n) => id === other.beside[n]?.id && limit === other.beside[n]?.limit);
