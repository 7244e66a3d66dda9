import { type RedisClient, tagOf } from "./client.ts";
import {
  hourMs,
  keptMs,
  metrics,
  noCounts,
  rowId,
  toHourName,
  type UsageRow,
  type UsageStore,
} from "../usage/usage-store.ts";
import type { Guard } from "./guard.ts";
import { createScript } from "./script.ts";

const waitMs = 2000;
/** Rows in one script: less than a millisecond, during which Redis answers nobody else. */
const rowsAtOnce = 100;
const hoursAtOnce = 100;

/**
 * Adds to the hash of an hour (KEYS[2]), unless the batch was added before (KEYS[1]). ARGV is the expiry of the hour in
 * epoch seconds, then names and numbers alternating.
 */
const add = createScript(`if not redis.call('set', KEYS[1], 1, 'NX', 'EX', 3600) then return 0 end
for i = 2, #ARGV, 2 do redis.call('hincrby', KEYS[2], ARGV[i], ARGV[i + 1]) end
redis.call('expireat', KEYS[2], ARGV[1])
return 1
`);

/** A hash per hour with a field per number: Redis sums what several nodes add. */
export function createRedisUsage(client: RedisClient, guard: Guard, prefix: string): UsageStore {
  const tag = tagOf(client);
  const keyOf = (hour: number): string => `${prefix}usage:${tag(toHourName(hour))}`;
  /** The name that remembers a part of a batch, beside its hour in a cluster. */
  const markOf = (hour: number, batch: string, at: number): string =>
    `${prefix}usage:${client.isCluster ? `${tag(toHourName(hour))}:` : ""}added:${batch}:${at}`;

  async function readHour(hour: number): Promise<UsageRow[]> {
    const rows = new Map<string, UsageRow>();
    let cursor = "0";
    do {
      const [next, flat] = await guard.run("read", waitMs, () =>
        client.hscan(keyOf(hour), cursor, "COUNT", 1000),
      );
      cursor = next;
      for (let i = 0; i < flat.length; i += 2) put(rows, flat[i] ?? "", Number(flat[i + 1]));
    } while (cursor !== "0");
    return [...rows.values()];
  }

  return {
    async add({ id, hour, rows }) {
      const end = Math.ceil((hour + hourMs + keptMs) / 1000);
      for (let at = 0; at < rows.length; at += rowsAtOnce) {
        const some = rows.slice(at, at + rowsAtOnce).flatMap(toFields);
        const names = [markOf(hour, id, at), keyOf(hour)];
        await guard.run("write", waitMs, () => add(client, names, [end, ...some]));
      }
    },
    async *read(from, until) {
      const first = Math.ceil(from / hourMs) * hourMs;
      for (let start = first; start < until; start += hoursAtOnce * hourMs) {
        const hours = hoursFrom(start, Math.min(until, start + hoursAtOnce * hourMs));
        const lengths = await guard.run("read", waitMs, () =>
          Promise.all(hours.map((hour) => client.hlen(keyOf(hour)))),
        );
        for (const [index, hour] of hours.entries()) {
          if (lengths[index] === 0) continue;
          for (const row of await readHour(hour)) yield { ...row, hour };
        }
      }
    },
  };
}

function hoursFrom(start: number, until: number): number[] {
  const hours: number[] = [];
  for (let hour = start; hour < until; hour += hourMs) hours.push(hour);
  return hours;
}

/** Leaves out zeros: most numbers of most rows are zero. */
const toFields = (row: UsageRow): (string | number)[] =>
  metrics.flatMap((name) => (row[name] === 0 ? [] : [`${rowId(row)}/${name}`, row[name]]));

function put(rows: Map<string, UsageRow>, field: string, value: number): void {
  const [account = "", key = "", tool = "", name = ""] = field.split("/");
  const metric = metrics.find((each) => each === name);
  if (metric === undefined) return;
  const id = rowId({ account, key, tool });
  let row = rows.get(id);
  if (row === undefined) rows.set(id, (row = { account, key, tool, ...noCounts() }));
  row[metric] = value;
}
