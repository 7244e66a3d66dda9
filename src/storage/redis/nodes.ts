import type { RedisClient } from "./client.ts";
import type { StoreNode } from "../storage.ts";
import type { Guard } from "./guard.ts";
import { createScript } from "./script.ts";

/** The nodes that share this Redis, by their own reports. */
export interface Nodes {
  /** The number of nodes as last seen; at least 1. */
  count(): number;
  /** Reports this node; call it every few seconds. The first call waits longer. @throws StoreError */
  beat(): Promise<void>;
  /** Returns the nodes that have reported lately, this one among them. @throws StoreError */
  list(): Promise<StoreNode[]>;
  /** Removes this node from the list. */
  leave(): Promise<void>;
}

/** Milliseconds of silence after which a node counts as gone. */
const goneMs = 10_000;
const waitMs = 500;
const firstWaitMs = 10_000;

/**
 * Uses the clock of Redis, because the nodes' clocks differ. The write that needs memory comes first: after a removal a
 * script may write even if Redis is full, and that would go unnoticed. KEYS[1] is a sorted set; ARGV is the node and
 * the milliseconds.
 */
const report = createScript(`local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zadd', KEYS[1], now, ARGV[1])
redis.call('zremrangebyscore', KEYS[1], '-inf', now - ARGV[2])
redis.call('pexpire', KEYS[1], ARGV[2])
return redis.call('zcard', KEYS[1])
`);

export function createNodes(options: {
  client: RedisClient;
  guard: Guard;
  prefix: string;
  id: string;
  /** The release of this node; empty if it reports none. */
  version: string;
}): Nodes {
  const { client, guard, prefix, id, version } = options;
  // `nodes`, `servers` and `servers:3` are the lists of older releases: see `marker.ts`.
  const key = `${prefix}servers:4`;
  const member = version === "" ? id : `${id}@${version}`;
  let alive = 1;
  let joined = false;

  return {
    count: () => alive,
    async beat() {
      const count = await guard.run("check", joined ? waitMs : firstWaitMs, () =>
        report(client, [key], [member, goneMs]),
      );
      joined = true;
      alive = Math.max(1, Number(count));
    },
    async list() {
      const found = await guard.run("read", firstWaitMs, () => client.zrange(key, 0, "-1", "WITHSCORES"));
      return Array.from({ length: found.length / 2 }, (_, index) => {
        const [name = "", release = ""] = (found[2 * index] ?? "").split("@");
        return {
          id: name,
          // Nodes of an older release report none.
          version: release === "" ? null : release,
          seenAt: Number(found[2 * index + 1]),
          isThis: name === id,
        };
      });
    },
    async leave() {
      if (joined) await guard.run("check", waitMs, () => client.zrem(key, member)).catch(() => undefined);
    },
  };
}
