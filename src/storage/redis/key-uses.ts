import type { RedisClient } from "./client.ts";
import { type KeyUseStore, minuteMs } from "../key-uses.ts";
import type { Guard } from "./guard.ts";
import { createScript } from "./script.ts";

const waitMs = 2000;
/** Keys in one script: less than a millisecond, during which Redis answers nobody else. */
const atOnce = 500;
/** The field with the minute of the oldest use that was ever written; ids of keys begin with `key_`. */
const sinceField = "since";

/** ARGV is ids and minutes alternating. The newest of several nodes wins. */
const put = createScript(`local oldest = tonumber(redis.call('hget', KEYS[1], '${sinceField}') or false)
for i = 1, #ARGV, 2 do
  local minute = tonumber(ARGV[i + 1])
  local known = tonumber(redis.call('hget', KEYS[1], ARGV[i]) or false)
  if not known or minute > known then redis.call('hset', KEYS[1], ARGV[i], ARGV[i + 1]) end
  if not oldest or minute < oldest then
    oldest = minute
    redis.call('hset', KEYS[1], '${sinceField}', ARGV[i + 1])
  end
end
`);

/** One hash with a field per key, for all nodes. */
export function createRedisKeyUses(client: RedisClient, guard: Guard, prefix: string): KeyUseStore {
  const name = `${prefix}last-used`;

  async function scan(): Promise<Map<string, string | null>> {
    const found = new Map<string, string>();
    let cursor = "0";
    do {
      const [next, flat] = await guard.run("read", waitMs, () => client.hscan(name, cursor, "COUNT", 1000));
      cursor = next;
      for (let at = 0; at < flat.length; at += 2) found.set(flat[at] ?? "", flat[at + 1] ?? "");
    } while (cursor !== "0");
    return found;
  }

  async function readSome(fields: readonly string[]): Promise<Map<string, string | null>> {
    const found = new Map<string, string | null>();
    for (let at = 0; at < fields.length; at += 1000) {
      const some = fields.slice(at, at + 1000);
      const values = await guard.run("read", waitMs, () => client.hmget(name, ...some));
      for (const [index, field] of some.entries()) found.set(field, values[index] ?? null);
    }
    return found;
  }

  return {
    async put(uses) {
      const entries = [...uses];
      for (let at = 0; at < entries.length; at += atOnce) {
        const words = entries.slice(at, at + atOnce).flatMap(([id, time]) => [id, time / minuteMs]);
        await guard.run("write", waitMs, () => put(client, [name], words));
      }
    },
    async remove(ids) {
      for (let at = 0; at < ids.length; at += atOnce)
        await guard.run("write", waitMs, () => client.hdel(name, ...ids.slice(at, at + atOnce)));
    },
    async read(ids) {
      const found = await (ids === undefined ? scan() : readSome([...ids, sinceField]));
      const minutes = [...found].flatMap(([id, minute]): [string, number][] =>
        minute === null || minute === "" ? [] : [[id, Number(minute) * minuteMs]],
      );
      const last = new Map(minutes);
      const since = last.get(sinceField);
      last.delete(sinceField);
      return { ...(since !== undefined && { since }), last };
    },
  };
}
