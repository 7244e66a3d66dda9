import { nameOf, type RedisClient, type Tag, tagOf } from "./client.ts";
import { createKeyedMutex } from "../../lib/keyed-mutex.ts";
import { busy, type Hold, type Lease, leaseLost } from "../lease.ts";
import { toUnavailable } from "../unavailable.ts";
import type { StoreError } from "../errors.ts";
import type { Guard } from "./guard.ts";
import { createScript, evenFull } from "./script.ts";
import type { Runtime } from "../../runtime.ts";

export interface RedisHoldOptions {
  client: RedisClient;
  guard: Guard;
  prefix: string;
  runtime: Runtime;
  /** Milliseconds for which a lease is given. A holder that works renews it; after a crash others wait that long. */
  leaseMs?: number;
  /** Milliseconds to wait for a lease that others hold. */
  patienceMs?: number;
}

/** In a cluster beside the record of the account. */
export const leaseName = (tag: Tag, prefix: string, account: string): string =>
  nameOf(tag, prefix, `lease:${account}`);

const waitMs = 5000;
/** Milliseconds between two attempts to get a lease; the pauses are random up to this. */
const pauseMs = 25;
/** Tokens only grow while a holder that was stopped may come back; an account that nobody changes needs none. */
const forgetMs = 30 * 86_400_000;

/**
 * Takes the lease of an account. KEYS[1] is the lease; ARGV is the taker, milliseconds of the lease, milliseconds of a
 * reservation, and milliseconds after which an unused name is forgotten. Returns the token and the end, or 0 if the lease is not
 * free. The first taker that asks in vain reserves the next turn, so that a process with many changes leaves some to others.
 */
const take = createScript(`${evenFull}local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends, waiter, reserved = unpack(redis.call('hmget', KEYS[1], 'until', 'waiter', 'reserved'))
local others = waiter and waiter ~= ARGV[1] and tonumber(reserved) > now
if others or (ends and tonumber(ends) > now) then
  if not others then redis.call('hset', KEYS[1], 'waiter', ARGV[1], 'reserved', now + ARGV[3]) end
  return {0, 0}
end
local token = redis.call('hincrby', KEYS[1], 'token', 1)
redis.call('hset', KEYS[1], 'until', now + ARGV[2], 'reserved', 0)
redis.call('pexpire', KEYS[1], ARGV[4])
return {token, now + ARGV[2]}
`);

/**
 * Lengthens a lease that was not released, also one that has ended if nobody has taken it since. ARGV is the token and the
 * milliseconds; returns the end or 0.
 */
const renew =
  createScript(`${evenFull}local token, before = unpack(redis.call('hmget', KEYS[1], 'token', 'until'))
if token ~= ARGV[1] or before == '0' then return 0 end
local time = redis.call('time')
local ends = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2]
redis.call('hset', KEYS[1], 'until', ends)
return ends
`);

/** Ends a lease. ARGV is the token; returns whether nobody has taken it in the meantime. */
const release = createScript(`${evenFull}if redis.call('hget', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('hset', KEYS[1], 'until', 0)
return 1
`);

/** Leases by the clock of Redis, for any number of processes. */
export function createRedisHold(options: RedisHoldOptions): Hold {
  const { client, guard, prefix, runtime, leaseMs = 10_000, patienceMs = 20_000 } = options;
  const inTurn = createKeyedMutex();

  async function attempt<T>(work: () => Promise<unknown>): Promise<T> {
    try {
      return (await guard.run("write", waitMs, work)) as T;
    } catch (error) {
      throw toUnavailable(error as StoreError);
    }
  }

  async function acquire(account: string, name: string): Promise<{ token: number; until: number }> {
    const me = Buffer.from(runtime.random(8)).toString("hex");
    const deadline = runtime.monotonic() + patienceMs;
    for (;;) {
      const words = [me, leaseMs, 10 * pauseMs, forgetMs];
      const [token, until] = await attempt<[number, number]>(() => take(client, [name], words));
      if (token > 0) return { token, until };
      if (runtime.monotonic() > deadline) throw busy(`The account ${account}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.2 + 0.8 * Math.random())));
    }
  }

  async function holdOne<T>(account: string, work: (lease: Lease) => Promise<T>): Promise<T> {
    const name = leaseName(tagOf(client), prefix, account);
    const { token, until } = await acquire(account, name);
    const lease = { account, token, until };
    const lengthen = async (): Promise<void> => {
      const ends = await attempt<number>(() => renew(client, [name], [token, leaseMs]));
      if (ends > 0) lease.until = ends;
    };
    // If it fails, the lease ends, and writes are refused.
    const timer = setInterval(() => void lengthen().catch(() => {}), leaseMs / 4).unref();
    try {
      const result = await work(lease);
      // A result that others may have changed meanwhile is not reported as done.
      if ((await attempt(() => release(client, [name], [token]))) !== 1) throw leaseLost(lease);
      return result;
    } catch (error) {
      void attempt(() => release(client, [name], [token])).catch(() => {});
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  // Those of this process wait here, so that they cost Redis nothing.
  return (account, work) => inTurn(account, () => holdOne(account, work));
}

/** Returns the function that gives a periodic task to one node at a time: see `takeTurn` of the store. */
export function createTurns({
  client,
  guard,
  prefix,
}: Pick<RedisHoldOptions, "client" | "guard" | "prefix">): (
  task: string,
  everyMs: number,
) => Promise<boolean> {
  return async (task, everyMs) => {
    const turn = `${prefix}turn:${task}`;
    // A little less, so that the next turn is not missed by a timer that fires early.
    const ms = Math.ceil(everyMs * 0.95);
    const taken = await guard.run("write", waitMs, () => client.set(turn, 1, "PX", ms, "NX"));
    return taken !== null;
  };
}
