import type { Runtime } from "../../runtime.ts";
import { minuteMs } from "../key-uses.ts";
import { hourMs, keptMs, metrics, noCounts, rowId, type UsageRow } from "../usage/usage-store.ts";
import { type RedisClient, tagOf } from "./client.ts";
import type { Guard } from "./guard.ts";
import { createRedisHold } from "./hold.ts";
import { createRedisKeyUses } from "./key-uses.ts";
import { createScript, evenFull } from "./script.ts";
import { createRedisUsage } from "./usage.ts";
import { createUsageNames } from "./usage-names.ts";

/** Not the name of an account. */
const leaseOfUsage = "*usage";
/** Fields moved in one step. */
const atOnce = 500;
/** The field that names what is being moved, so that it is counted once. */
const idField = "+id";

/**
 * Moves fields of the hash KEYS[1] to KEYS[2], where nobody adds to them any more. ARGV[1] is the name of this move, and the others are the fields. A move that was
 * interrupted keeps its name.
 */
const setAside = createScript(`${evenFull}redis.call('hsetnx', KEYS[2], '${idField}', ARGV[1])
for n = 2, #ARGV do
  local value = redis.call('hget', KEYS[1], ARGV[n])
  if value then
    redis.call('hset', KEYS[2], ARGV[n], value)
    redis.call('hdel', KEYS[1], ARGV[n])
  end
end
`);

/**
 * Takes over the usage and the last uses that releases with a hash for each hour, and one for all keys, have written. Servers of these releases may still
 * run, so that may be necessary again. Each step is counted once, however often it is made.
 */
export function createUsageAdoption(options: {
  client: RedisClient;
  guard: Guard;
  prefix: string;
  runtime: Runtime;
  /** Runs one step. */
  step<T>(work: () => Promise<T>): Promise<T>;
}): (ms?: number) => Promise<void> {
  const { client, guard, prefix, runtime, step } = options;
  const names = createUsageNames(tagOf(client), prefix);
  const usage = createRedisUsage(client, guard, prefix);
  const uses = createRedisKeyUses(client, guard, prefix);
  const hold = createRedisHold({ client, guard, prefix, runtime });
  const usesName = `${prefix}last-used`;

  const nextFields = async (name: string): Promise<[string, string][]> => {
    // A hash that is emptied from its beginning needs no cursor.
    const [, flat] = await step(() => client.hscan(name, 0, "COUNT", atOnce));
    return Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n] ?? "", flat[2 * n + 1] ?? ""]);
  };

  /** Counts what was set aside. */
  async function finish(hour: number): Promise<void> {
    const name = names.moving(hour);
    const fields = await step(() => client.hgetall(name));
    const id = fields[idField];
    if (id === undefined) return;
    await usage.add({ id, hour, rows: rowsOf(fields) });
    await step(() => client.unlink(name));
  }

  async function adoptHour(hour: number): Promise<void> {
    const name = names.ofHour(hour);
    await finish(hour);
    for (;;) {
      const fields = (await nextFields(name)).map(([field]) => field);
      // A small hash is returned as a whole.
      for (let at = 0; at < fields.length; at += atOnce) {
        const id = `moved${Buffer.from(runtime.random(8)).toString("hex")}`;
        const words = [id, ...fields.slice(at, at + atOnce)];
        await step(() => setAside(client, [name, names.moving(hour)], words));
        await finish(hour);
      }
      if (fields.length === 0) return;
    }
  }

  async function adoptUses(): Promise<void> {
    for (;;) {
      const fields = await nextFields(usesName);
      if (fields.length === 0) return;
      // The oldest use is a field of its own.
      await uses.put(new Map(fields.map(([id, minute]) => [id, Number(minute) * minuteMs])));
      await uses.remove(["since"]);
      await step(() => client.hdel(usesName, ...fields.map(([id]) => id)));
    }
  }

  return async (ms = keptMs + hourMs) => {
    const last = Math.floor(runtime.now() / hourMs) * hourMs + hourMs;
    const hours = Array.from({ length: Math.ceil(ms / hourMs) + 1 }, (_, n) => last - n * hourMs);
    const found = await step(() =>
      Promise.all(
        hours.map(
          async (hour) =>
            (await client.exists(names.ofHour(hour))) + (await client.exists(names.moving(hour))) > 0,
        ),
      ),
    );
    const left = hours.filter((_, n) => found[n]);
    if (left.length === 0 && (await step(() => client.exists(usesName))) === 0) return;
    await hold(leaseOfUsage, async () => {
      for (const hour of left) await adoptHour(hour);
      await adoptUses();
    });
  };
}

/** Returns the rows in the fields of an hour, `ACCOUNT/KEY/TOOL/METRIC`. */
function rowsOf(fields: Readonly<Record<string, string>>): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const [field, value] of Object.entries(fields)) {
    const [account = "", key = "", tool = "", name = ""] = field.split("/");
    const metric = metrics.find((each) => each === name);
    if (metric === undefined) continue;
    const id = rowId({ account, key, tool });
    const row = rows.get(id) ?? { account, key, tool, ...noCounts() };
    row[metric] = Number(value);
    rows.set(id, row);
  }
  return [...rows.values()];
}
