import type { Redis } from "ioredis";
import type { Guard } from "./guard.ts";

/** The nodes that share this Redis, as each tells of itself. */
export interface Nodes {
  /** As last heard; at least this one. */
  count(): number;
  /** This node is there. It has to be said every few seconds; the first time there is more patience. @throws StoreError. */
  beat(): Promise<void>;
  /** Takes this node off the list. */
  leave(): Promise<void>;
}

/** A node that was silent for so long is gone. */
const goneMs = 10_000;
const waitMs = 500;
const firstWaitMs = 10_000;

/**
 * By the clock of Redis, because the nodes' own differ. What needs memory comes first: a script that has removed something
 * is allowed to write where Redis is full, and that it is would not be seen. KEYS[1] is a sorted set; ARGV is the node and the milliseconds.
 */
const script = `local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zadd', KEYS[1], now, ARGV[1])
redis.call('zremrangebyscore', KEYS[1], '-inf', now - ARGV[2])
redis.call('pexpire', KEYS[1], ARGV[2])
return redis.call('zcard', KEYS[1])
`;

export function createNodes(options: { client: Redis; guard: Guard; prefix: string; id: string }): Nodes {
  const { client, guard, prefix, id } = options;
  const key = `${prefix}nodes`;
  let alive = 1;
  let joined = false;

  return {
    count: () => alive,
    async beat() {
      const count = await guard.run("check", joined ? waitMs : firstWaitMs, () =>
        client.eval(script, 1, key, id, goneMs),
      );
      joined = true;
      alive = Math.max(1, Number(count));
    },
    async leave() {
      if (joined) await guard.run("check", waitMs, () => client.zrem(key, id)).catch(() => undefined);
    },
  };
}
