import type { Runtime } from "../../runtime.ts";
import type { RedisClient } from "./client.ts";
import { toOrder } from "./delivery-log.ts";
import { createShards } from "./delivery-shards.ts";
import { adopt, adoptHealth } from "./delivery-upkeep.ts";
import type { Guard } from "./guard.ts";

/** Takes over the deliveries of releases that kept each under names of its own, which no script could declare. */
export interface Adoption {
  /** Takes over what these names (without their prefix `wh:`) hold. Returns the number of deliveries. */
  adoptDeliveries(names: readonly string[]): Promise<number>;
  /** Removes what was taken over. */
  removeRest(names: readonly string[]): Promise<void>;
}

/** Deliveries read at once, with their bodies. */
const atOnce = 100;

export function createAdoption(options: {
  client: RedisClient;
  guard: Guard;
  prefix: string;
  runtime: Runtime;
  /** Runs one step. */
  step<T>(work: () => Promise<T>): Promise<T>;
}): Adoption {
  const { client, guard, prefix, runtime, step } = options;
  const base = `${prefix}wh:`;
  // Endpoints are placed as if all circuits were closed; the next claim places them by the options of the server.
  const header = ["", Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 0];
  const shards = createShards({ client, guard, prefix, header: (channels) => [...header, channels] });
  // Older releases know no cluster, and one server has one shard.
  const [shard] = shards.all;

  async function adoptOne(id: string): Promise<number> {
    const [fields, attempts] = await step(() =>
      Promise.all([client.hgetall(`${base}d:${id}`), client.lrange(`${base}a:${id}`, 0, "-1")]),
    );
    const { event = "", endpoint = "", account = "" } = fields;
    if (event === "" || endpoint === "") return 0;
    const [body, ids, left, ...scores] = await step(() =>
      Promise.all([
        client.hget(`${base}e:${event}`, "body"),
        client.hget(`${base}e:${event}`, "ids"),
        client.hget(`${base}e:${event}`, "left"),
        client.zscore(`${base}log`, id),
        client.zscore(`${base}due:${endpoint}`, id),
        client.zscore(`${base}lease`, id),
        client.zscore(`${base}wait`, id),
        client.zscore(`${base}ended`, id),
        client.zscore(`${base}urgent`, id),
      ]),
    );
    const [order, due, lease, wait, ended, urgent] = scores;
    const delivery = {
      ...fields,
      account,
      ...numbersIn(fields),
      order: toOrder(Number(order ?? fields.createdAt)),
    };
    // One that a server of the older release is making is due again when its lease has ended.
    const dueAt = fields.state === "waiting" ? (due ?? lease ?? wait ?? String(runtime.now())) : "";
    const args = [
      id,
      JSON.stringify(delivery),
      attempts.join("\n"),
      event,
      body ?? "",
      `${left ?? 1} ${ids ?? id}`,
      dueAt,
      fields.state === "waiting" ? (wait ?? dueAt) : "",
      fields.state === "waiting" ? "" : (ended ?? fields.endedAt ?? String(runtime.now())),
      urgent !== null && due !== null ? 1 : 0,
    ];
    return Number(await shard?.run("write", adopt, args));
  }

  async function adoptEndpoint(endpoint: string): Promise<void> {
    const { hold, ...fields } = await step(() => client.hgetall(`${base}ep:${endpoint}`));
    const health = {
      ...numbersIn(fields),
      ...(hold !== undefined && { hold: hold === "ever" ? hold : Number(hold) }),
    };
    if (Object.keys(health).length > 0)
      await shard?.run("write", adoptHealth, [endpoint, JSON.stringify(health)]);
  }

  async function adoptOnce(name: string): Promise<void> {
    const until = await step(() => client.get(`${base}once:${name}`));
    if (until !== null && shard !== undefined)
      await step(() => client.zadd(shard.nameOf("once"), until, name));
  }

  return {
    async adoptDeliveries(names) {
      const below = (start: string): string[] =>
        names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
      const ids = below("d:");
      let count = 0;
      for (let from = 0; from < ids.length; from += atOnce) {
        const counts = await Promise.all(ids.slice(from, from + atOnce).map(adoptOne));
        count += counts.reduce((sum, one) => sum + one, 0);
      }
      await Promise.all(below("ep:").map(adoptEndpoint));
      await Promise.all(below("once:").map(adoptOnce));
      return count;
    },
    async removeRest(names) {
      if (names.length > 0) await step(() => client.unlink(...names.map((name) => base + name)));
    },
  };
}

const numeric = new Set([
  "attempts",
  "createdAt",
  "since",
  "nextAt",
  "endedAt",
  "fence",
  "failures",
  "failingSince",
  "failedAt",
]);

/** Returns the fields of a hash that are numbers. */
const numbersIn = (fields: Readonly<Record<string, string>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => (numeric.has(name) ? [[name, Number(text)]] : [])),
  );
