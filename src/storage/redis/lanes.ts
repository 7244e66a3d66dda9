import type { HourCount } from "./hour-limiters.ts";
import type { Runtime } from "../../runtime.ts";

/** The result of one request of a batch: `used` as if its own points had been counted. */
export interface Share {
  used: number;
  msLeft: number;
}

export interface Lanes {
  /** Counts together with other requests that wait for the same id and limit. */
  consume(id: string, points: number, limit: number): Promise<Share>;
}

/** Points that go into one script. */
export interface Batch {
  id: string;
  points: number;
  limit: number;
  /** All or none: the points are of one request. Otherwise they are of requests with one point each. */
  whole: boolean;
  /** Milliseconds left for the request that has waited longest. */
  waitMs: number;
}

interface Waiter {
  points: number;
  limit: number;
  since: number;
  resolve(share: Share): void;
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

  function consume(id: string, points: number, limit: number): Promise<Share> {
    return new Promise((resolve, reject) => {
      const waiter = { points, limit, since: runtime.monotonic(), resolve, reject };
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
    const [{ limit, since, points: each }] = batch as [Waiter];
    const points = each * batch.length;
    lane.underWay += 1;
    try {
      const left = Math.max(1, waitMs - (runtime.monotonic() - since));
      const { used, msLeft } = await send({ id, points, limit, whole: each > 1, waitMs: left });
      let position = used - points;
      for (const waiter of batch) {
        position += waiter.points;
        waiter.resolve({ used: position, msLeft });
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
 * Takes the waiters at the front that fit into one script: the same limit and one point each, so that no request is
 * half counted.
 */
function takeBatch({ waiting }: Lane): Waiter[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const end = waiting.findIndex(({ points, limit }) => points !== 1 || limit !== first.limit);
  return waiting.splice(0, first.points === 1 ? (end === -1 ? waiting.length : end) : 1);
}
