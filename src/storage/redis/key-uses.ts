import { type KeyUseStore, minuteMs } from "../key-uses.ts";
import { type RedisClient, tagOf } from "./client.ts";
import type { Guard } from "./guard.ts";
import { createScript } from "./script.ts";

const waitMs = 2000;
/** Keys in one script: less than a millisecond, during which Redis answers nobody else. */
const atOnce = 500;
/** Never to be changed: a key stays in its shard. A million keys are hashes of 16,000 fields, which a cluster divides among its servers. */
const shards = 64;

/** ARGV is ids and minutes alternating. The newest of several nodes wins. */
const put = createScript(`for i = 1, #ARGV, 2 do
  local known = tonumber(redis.call('hget', KEYS[1], ARGV[i]) or false)
  if not known or tonumber(ARGV[i + 1]) > known then redis.call('hset', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
`);

/** Notes the minute of the oldest use that was ever written. KEYS[1] is its name, ARGV[1] the minute. */
const begin = createScript(`local oldest = tonumber(redis.call('get', KEYS[1]) or false)
if not oldest or tonumber(ARGV[1]) < oldest then redis.call('set', KEYS[1], ARGV[1]) end
`);

/** Hashes with a field per key, for all nodes. */
export function createRedisKeyUses(client: RedisClient, guard: Guard, prefix: string): KeyUseStore {
  const tag = tagOf(client);
  const base = `${prefix}last-used:`;
  const since = `${base}since`;
  const names = Array.from({ length: shards }, (_, n) => base + tag(String(n).padStart(2, "0")));
  const nameOf = (id: string): string => names[shardOf(id)] as string;

  /** Divides ids by their shard, with at most so many in each part. */
  function partsOf(ids: readonly string[], most: number): [name: string, ids: string[]][] {
    return [...Map.groupBy(ids, nameOf)].flatMap(([name, own]) =>
      Array.from({ length: Math.ceil(own.length / most) }, (_, n): [string, string[]] => [
        name,
        own.slice(n * most, (n + 1) * most),
      ]),
    );
  }

  async function scan(name: string): Promise<[string, string | null][]> {
    const found: [string, string | null][] = [];
    let cursor = "0";
    do {
      const [next, flat] = await guard.run("read", waitMs, () => client.hscan(name, cursor, "COUNT", 1000));
      cursor = next;
      for (let at = 0; at < flat.length; at += 2) found.push([flat[at] ?? "", flat[at + 1] ?? null]);
    } while (cursor !== "0");
    return found;
  }

  async function readAll(): Promise<[string, string | null][]> {
    const found: [string, string | null][] = [];
    for (const name of names) found.push(...(await scan(name)));
    return found;
  }

  async function readSome(ids: readonly string[]): Promise<[string, string | null][]> {
    const parts = partsOf(ids, atOnce);
    const found = await guard.run("read", waitMs, () =>
      Promise.all(parts.map(([name, own]) => client.hmget(name, ...own))),
    );
    return parts.flatMap(([, own], part) =>
      own.map((id, n): [string, string | null] => [id, found[part]?.[n] ?? null]),
    );
  }

  return {
    async put(uses) {
      if (uses.size === 0) return;
      const minuteOf = (id: string): number => (uses.get(id) ?? 0) / minuteMs;
      const oldest = [...uses.values()].reduce((least, time) => Math.min(least, time), Infinity) / minuteMs;
      await guard.run("write", waitMs, () => begin(client, [since], [oldest]));
      for (const [name, ids] of partsOf([...uses.keys()], atOnce)) {
        const words = ids.flatMap((id) => [id, minuteOf(id)]);
        await guard.run("write", waitMs, () => put(client, [name], words));
      }
    },
    async remove(ids) {
      for (const [name, own] of partsOf(ids, atOnce))
        await guard.run("write", waitMs, () => client.hdel(name, ...own));
    },
    async read(ids) {
      const [oldest, found] = await Promise.all([
        guard.run("read", waitMs, () => client.get(since)),
        ids === undefined ? readAll() : readSome(ids),
      ]);
      const last = new Map(
        found.flatMap(([id, minute]): [string, number][] =>
          minute === null ? [] : [[id, Number(minute) * minuteMs]],
        ),
      );
      return { ...(oldest !== null && { since: Number(oldest) * minuteMs }), last };
    },
  };
}

/** Ids end in random hexadecimal digits. */
function shardOf(id: string): number {
  const digits = Number.parseInt(id.slice(-2), 16);
  return Number.isNaN(digits) ? 0 : digits % shards;
}
