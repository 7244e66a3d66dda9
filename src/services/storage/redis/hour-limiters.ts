import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import RateLimiterRedis from "rate-limiter-flexible/lib/RateLimiterRedis.js";
import { windowSeconds } from "../counters.ts";

/** The answer of a script. `used` is the use as if all points had been counted; they were if it is within the limit. */
export interface HourCount {
  used: number;
  /** Milliseconds until the window ends; 0 if there is none. */
  msLeft: number;
}

export interface HourLimiters {
  /**
   * Counts as many points as fit under the limit, or with `whole` all or none, in one step and one round trip. Points
   * that do not fit are not counted, so that a raised limit lets the next request through.
   */
  consume(id: string, points: number, limit: number, whole: boolean): Promise<HourCount>;
  /** Returns points that were counted for a request refused later. */
  giveBack(id: string, points: number): Promise<void>;
  get(id: string): Promise<HourCount | undefined>;
  delete(id: string): Promise<void>;
}

/** Stands for no limit: the library needs a finite number. */
const unlimited = 1e15;
/** Most limiters: limits are few, those of the plans and of accounts with their own. */
const capacity = 1000;
const window = { customDuration: windowSeconds };

/**
 * Replaces the library's script, which counts what it refuses. KEYS[1] is the counter; ARGV is what the library sends:
 * points, seconds, the limiter's limit, and its seconds, which are 1 if points are counted one by one. Points given
 * back do not begin a window anew.
 */
const script = `local used = tonumber(redis.call('get', KEYS[1]) or '0')
local points = tonumber(ARGV[1])
local ttl = redis.call('pttl', KEYS[1])
local counted = math.max(0, math.min(points, tonumber(ARGV[3]) - used))
if counted < points and ARGV[4] ~= '1' then counted = 0 end
if points < 0 then counted = math.max(points, -used) end
if ttl == -2 then
  if counted <= 0 then return {used + points, 0} end
  redis.call('set', KEYS[1], counted, 'EX', ARGV[2])
  return {used + points, 1000 * ARGV[2]}
end
if ttl == -1 then
  redis.call('expire', KEYS[1], ARGV[2])
  ttl = 1000 * ARGV[2]
end
if counted ~= 0 then redis.call('incrby', KEYS[1], counted) end
return {used + points, ttl}
`;

/** One limiter of the library per limit, because an instance sends its own limit to the script. */
export function createHourLimiters(client: Redis, prefix: string): HourLimiters {
  const storeClient = withScript(client);
  const wholes = new Map<number, RateLimiterRedis>();
  const pieces = new Map<number, RateLimiterRedis>();

  function limiterFor(limit: number, whole = true): RateLimiterRedis {
    const points = Math.min(limit, unlimited);
    const limiters = whole ? wholes : pieces;
    let limiter = limiters.get(points);
    if (limiter === undefined) {
      if (limiters.size >= capacity) limiters.delete(limiters.keys().next().value as number);
      limiter = new RateLimiterRedis({
        storeClient,
        keyPrefix: `${prefix}count`,
        points,
        duration: whole ? windowSeconds : 1,
        customIncrTtlLuaScript: script,
        rejectIfRedisNotReady: true,
      });
      limiters.set(points, limiter);
    }
    return limiter;
  }

  return {
    async consume(id, points, limit, whole) {
      // `penalty` is the library's `consume` without its verdict.
      const { consumedPoints, msBeforeNext } = await limiterFor(limit, whole).penalty(id, points, window);
      return { used: consumedPoints, msLeft: Math.max(0, msBeforeNext) };
    },
    async giveBack(id, points) {
      await limiterFor(unlimited).reward(id, points, window);
    },
    async get(id) {
      const found = await limiterFor(unlimited).get(id);
      return found === null
        ? undefined
        : { used: found.consumedPoints, msLeft: Math.max(0, found.msBeforeNext) };
    },
    async delete(id) {
      await limiterFor(unlimited).delete(id);
    },
  };
}

/**
 * The client as the library uses it. ioredis asks once a minute, in a separate round trip, whether Redis still has a
 * script; here a script is sent by its hash, and in full if Redis has forgotten it.
 */
function withScript(client: Redis): object {
  const sha = hash("sha1", script, "hex");
  const load = (): void => void client.script("LOAD", script).catch(() => undefined);
  client.on("ready", load);
  if (client.status === "ready") load();
  return {
    get status() {
      return client.status;
    },
    async rlflxIncr([key = "", ...args]: string[]) {
      try {
        return await client.evalsha(sha, 1, key, ...args);
      } catch (error) {
        if (!(error as Error).message.startsWith("NOSCRIPT")) throw error;
        return client.eval(script, 1, key, ...args);
      }
    },
    multi: () => client.multi(),
    del: (key: string) => client.del(key),
  };
}
