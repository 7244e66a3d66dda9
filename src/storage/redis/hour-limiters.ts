import { type RedisClient, tagOf } from "./client.ts";
import { counterName, idOfCounter } from "./counter-names.ts";
import { createScript } from "./script.ts";
import RateLimiterRedis from "rate-limiter-flexible/lib/RateLimiterRedis.js";
import { windowSeconds } from "../counters.ts";
import { defaultIpv6Factor, networksOf } from "../networks.ts";

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
 * Replaces the library's script, which counts what it refuses. KEYS[1] is the counter, others are those of its wider
 * networks; ARGV is what the library sends: points, seconds, the limiter's limit, and its seconds, which are 1 if points are
 * counted one by one, followed by `ipv6Factor`. The answer is about the counter with the least left, whose use is shifted
 * to the limit of the first (`networks.ts`). Points given back do not begin a window anew.
 */
const script = `local points = tonumber(ARGV[1])
local limit = tonumber(ARGV[3])
local useds, ttls = {}, {}
local used, least
for level, key in ipairs(KEYS) do
  useds[level] = tonumber(redis.call('get', key) or '0')
  ttls[level] = redis.call('pttl', key)
  local shifted = useds[level]
  if level > 1 then shifted = shifted - limit * (tonumber(ARGV[5]) ^ (level - 1) - 1) end
  if level == 1 or shifted > used then used, least = shifted, level end
end
local counted = math.max(0, math.min(points, limit - used))
if counted < points and ARGV[4] ~= '1' then counted = 0 end
for level, key in ipairs(KEYS) do
  local own = counted
  if points < 0 then own = math.max(points, -useds[level]) end
  if ttls[level] == -2 then
    ttls[level] = 0
    if own > 0 then
      redis.call('set', key, own, 'EX', ARGV[2])
      ttls[level] = 1000 * ARGV[2]
    end
  else
    if ttls[level] == -1 then
      redis.call('expire', key, ARGV[2])
      ttls[level] = 1000 * ARGV[2]
    end
    if own ~= 0 then redis.call('incrby', key, own) end
  end
end
return {used + points, ttls[least]}
`;
const count = createScript(script);

/** One limiter of the library per limit, because an instance sends its own limit to the script. */
export function createHourLimiters(
  client: RedisClient,
  prefix: string,
  ipv6Factor = defaultIpv6Factor,
): HourLimiters {
  const base = `${prefix}count:`;
  const tag = tagOf(client);
  const storeClient = withScript(
    client,
    (key) => {
      const networks = networksOf(idOfCounter(key.slice(base.length)), ipv6Factor);
      return [key, ...networks.map((network) => base + counterName(tag, network))];
    },
    ipv6Factor,
  );
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
      const { consumedPoints, msBeforeNext } = await limiterFor(limit, whole).penalty(
        counterName(tag, id),
        points,
        window,
      );
      return { used: consumedPoints, msLeft: Math.max(0, msBeforeNext) };
    },
    async giveBack(id, points) {
      await limiterFor(unlimited).reward(counterName(tag, id), points, window);
    },
    async get(id) {
      const found = await limiterFor(unlimited).get(counterName(tag, id));
      return found === null
        ? undefined
        : { used: found.consumedPoints, msLeft: Math.max(0, found.msBeforeNext) };
    },
    async delete(id) {
      await limiterFor(unlimited).delete(counterName(tag, id));
    },
  };
}

/**
 * The client as the library uses it. `keysOf` returns all counters of the one that the library names. ioredis asks once a minute, in a separate round trip, whether Redis still has a
 * script; here a script is sent by its hash, and in full if Redis has forgotten it.
 */
function withScript(
  client: RedisClient,
  keysOf: (key: string) => readonly string[],
  ipv6Factor: number,
): object {
  // So that the first request after a start or a failover takes one round trip.
  const load = (): void => void client.script("LOAD", script).catch(() => undefined);
  client.on("ready", load);
  if (client.status === "ready") load();
  return {
    get status() {
      return client.status;
    },
    rlflxIncr: ([key = "", ...given]: string[]) => count(client, keysOf(key), [...given, ipv6Factor]),
    multi: () => client.multi(),
    del: (key: string) => client.del(key),
  };
}
