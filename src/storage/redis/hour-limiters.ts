import RateLimiterRedis from "rate-limiter-flexible/lib/RateLimiterRedis.js";
import { windowSeconds } from "../counters.ts";
import { asAddress, defaultIpv6Factor, withNetworks } from "../networks.ts";
import type { Limited } from "../storage.ts";
import type { AccountReads } from "./account-reads.ts";
import { type RedisClient, serversOf, tagOf } from "./client.ts";
import { counterName, idOfCounter } from "./counter-names.ts";
import { createScript } from "./script.ts";

/** The answer of a script. `used` is the use as if all points had been counted; they were if it is within every limit. */
export interface WindowCount {
  used: number;
  /** Milliseconds until the window ends; 0 if there is none. */
  msLeft: number;
}

export interface HourCount extends WindowCount {
  /** The counts of the counters beside it, in their order. */
  beside: readonly WindowCount[];
}

export interface HourLimiters {
  /**
   * Counts as many points as fit under all limits, or with `whole` all or none, in one step and one round trip. Points
   * that do not fit are counted nowhere, so that a raised limit lets the next request through.
   */
  consume(
    id: string,
    points: number,
    limit: number,
    whole: boolean,
    beside?: readonly Limited[],
  ): Promise<HourCount>;
  /** Returns points that were counted for a request refused later. */
  giveBack(id: string, points: number): Promise<void>;
  get(id: string): Promise<WindowCount | undefined>;
  delete(id: string): Promise<void>;
}

/** Stands for no limit: Lua and the library need a finite number. */
const unlimited = 1e15;
const window = { customDuration: windowSeconds };

/**
 * Counts in several windows of an hour, or in none. KEYS are the counters, perhaps followed by the record of their account; ARGV is the points, negative
 * to give them back, the seconds of a window, 1 if points are counted one by one, and the limit of each counter. Returns use and milliseconds of each
 * counter, alternating, and the record.
 */
const script = `local points = tonumber(ARGV[1])
local useds, ttls, fitting = {}, {}, points
for n, key in ipairs(KEYS) do
  if not ARGV[n + 3] then break end
  useds[n] = tonumber(redis.call('get', key) or '0')
  ttls[n] = redis.call('pttl', key)
  fitting = math.min(fitting, tonumber(ARGV[n + 3]) - useds[n])
end
local counted = math.max(0, fitting)
if counted < points and ARGV[3] ~= '1' then counted = 0 end
local counts = {}
for n, key in ipairs(KEYS) do
  if not useds[n] then
    counts[#counts + 1] = redis.call('get', key)
    break
  end
  local own = counted
  if points < 0 then own = math.max(points, -useds[n]) end
  if ttls[n] == -2 then
    ttls[n] = 0
    if own > 0 then
      redis.call('set', key, own, 'EX', ARGV[2])
      ttls[n] = 1000 * ARGV[2]
    end
  else
    if ttls[n] == -1 then
      redis.call('expire', key, ARGV[2])
      ttls[n] = 1000 * ARGV[2]
    end
    if own ~= 0 then redis.call('incrby', key, own) end
  end
  counts[2 * n - 1] = useds[n] + points
  counts[2 * n] = ttls[n]
end
return counts
`;
const count = createScript(script);

export function createHourLimiters(options: {
  client: RedisClient;
  prefix: string;
  ipv6Factor?: number | undefined;
  /** Reads of accounts that the script of a count takes along. */
  accounts?: Pick<AccountReads, "take">;
}): HourLimiters {
  const { client, prefix, ipv6Factor = defaultIpv6Factor, accounts } = options;
  const base = `${prefix}count:`;
  const tag = tagOf(client);
  const nameOf = (id: string): string => base + counterName(tag, id);

  // So that the first request after a start or a failover takes one round trip.
  function load(): void {
    for (const server of serversOf(client)) void server.script("LOAD", script).catch(() => undefined);
  }
  client.on("ready", load);
  if (client.status === "ready") load();

  async function countIn(
    counters: readonly Limited[],
    points: number,
    whole: boolean,
  ): Promise<WindowCount[]> {
    const names = counters.map(({ id }) => nameOf(id));
    const limits = counters.map(({ limit }) => Math.min(limit, unlimited));
    const words = [points, windowSeconds, whole ? 0 : 1, ...limits];
    const [, account = ""] = /^account:([^:]+)/.exec(counters[0]?.id ?? "") ?? [];
    const record = accounts?.take(account);
    let found: unknown[];
    try {
      found = (await count(
        client,
        record === undefined ? names : [...names, record.name],
        words,
      )) as unknown[];
    } catch (error) {
      // A full Redis still reads.
      record?.leave();
      throw error;
    }
    record?.answer((found[2 * counters.length] ?? null) as string | null);
    return counters.map((_, n) => ({
      used: Number(found[2 * n]),
      msLeft: Math.max(0, Number(found[2 * n + 1])),
    }));
  }

  // The library knows one counter and one limit; `count` is its script where there are more.
  const limiter = new RateLimiterRedis({
    storeClient: {
      get status() {
        return client.status;
      },
      rlflxIncr: async ([name = "", points = ""]: string[]) => {
        const id = idOfCounter(name.slice(base.length));
        const [{ used, msLeft } = { used: 0, msLeft: 0 }] = await countIn(
          withNetworks({ id, limit: unlimited }, ipv6Factor),
          Number(points),
          true,
        );
        return [used, msLeft];
      },
      multi: () => client.multi(),
      del: (name: string) => client.del(name),
    },
    keyPrefix: `${prefix}count`,
    points: unlimited,
    duration: windowSeconds,
    rejectIfRedisNotReady: true,
  });

  return {
    async consume(id, points, limit, whole, beside = []) {
      const own = withNetworks({ id, limit }, ipv6Factor);
      const counts = await countIn([...own, ...beside], points, whole);
      return {
        ...tightest(counts.slice(0, own.length), limit, ipv6Factor),
        beside: counts.slice(own.length),
      };
    },
    async giveBack(id, points) {
      await limiter.reward(counterName(tag, id), points, window);
    },
    async get(id) {
      const found = await limiter.get(counterName(tag, id));
      return found === null
        ? undefined
        : { used: found.consumedPoints, msLeft: Math.max(0, found.msBeforeNext) };
    },
    async delete(id) {
      await limiter.delete(counterName(tag, id));
    },
  };
}

/** Returns the count of the network with the least left, as if it were that of the address. */
function tightest(counts: readonly WindowCount[], limit: number, factor: number): WindowCount {
  const [first = { used: 0, msLeft: 0 }, ...wider] = counts;
  return wider.reduce((least, { used, msLeft }, index) => {
    const shifted = asAddress(used, limit, factor, index + 1);
    return shifted > least.used ? { used: shifted, msLeft } : least;
  }, first);
}
