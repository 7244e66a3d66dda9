import type { RedisClient } from "./client.ts";
import type {
  Attempt,
  Delivery,
  DeliveryQuery,
  DeliveryQueue,
  DeliveryState,
} from "../deliveries/delivery-queue.ts";
import { isAskedFor } from "../deliveries/newest.ts";
import { get } from "./delivery-upkeep.ts";
import type { Guard } from "./guard.ts";
import type { Marker } from "./marker.ts";

const waitMs = 5000;
const pageSize = 200;

/** Reads waiting and ended deliveries. An empty answer is trusted only while the mark of the store exists. */
export function createDeliveryLog(options: {
  client: RedisClient;
  guard: Guard;
  base: string;
  marker: Marker | undefined;
}): Pick<DeliveryQueue, "get" | "list"> {
  const { client, guard, base, marker } = options;
  const read = <T>(work: () => Promise<T>): Promise<T> => guard.run("read", waitMs, work);

  /** The shortest log that has all that a query asks for. */
  const logOf = ({ endpoint, account }: DeliveryQuery): string =>
    endpoint === undefined ? logName(base, account) : `${base}log:${endpoint}`;

  /** The place of a delivery in its log; null if it is gone, or if the log is not read. */
  async function rankOf(query: DeliveryQuery): Promise<number | null> {
    const { event, after } = query;
    if (event !== undefined || after === undefined) return null;
    return read(() => client.zrevrank(logOf(query), after.id));
  }

  /** Yields ids, newest first, page by page; an id may be repeated if others are added meanwhile. */
  async function* pages(query: DeliveryQuery, begin: number): AsyncGenerator<string[]> {
    const { event, since } = query;
    if (event !== undefined) {
      const ids = await read(() => client.hget(`${base}e:${event}`, "ids"));
      yield (ids ?? "").split(" ").filter(Boolean).toReversed();
      return;
    }
    const key = logOf(query);
    for (let from = begin; ; from += pageSize) {
      const at = from;
      // By rank: for the offset of a score range Redis walks the list, which takes tens of milliseconds in a long log.
      const found = await read(() => client.zrevrange(key, at, at + pageSize - 1, "WITHSCORES"));
      const ids = found.filter((_, index) => index % 2 === 0 && Number(found[index + 1]) >= (since ?? 0));
      yield ids;
      if (ids.length < pageSize) return;
    }
  }

  return {
    async get(id) {
      const found = (await read(() => get(client, [base], ["", 0, 0, 0, id]))) as
        | [string[], string[], string | null]
        | null;
      if (found === null) await marker?.check();
      if (found === null || found[2] === null) return undefined;
      const [fields, attempts, body] = found;
      return { ...toDelivery(id, fields), log: attempts.map((text) => JSON.parse(text) as Attempt), body };
    },
    async list(query) {
      const found = new Map<string, Delivery>();
      const { after: _after, ...others } = query;
      const rank = await rankOf(query);
      // The log orders deliveries of one millisecond by their arrival and not by id, so what follows `after` in it is
      // not compared again. Without a rank the log is read from its beginning, and `after` selects.
      const asked = rank === null ? query : others;
      for await (const ids of pages(query, (rank ?? -1) + 1)) {
        const records = await read(() => Promise.all(ids.map((id) => client.hgetall(`${base}d:${id}`))));
        for (const [index, record] of records.entries()) {
          const id = ids[index] as string;
          const delivery = toDelivery(id, Object.entries(record).flat());
          if (record.state !== undefined && isAskedFor(delivery, asked)) found.set(id, delivery);
          if (found.size >= query.limit) return [...found.values()];
        }
      }
      if (found.size === 0) await marker?.check();
      return [...found.values()];
    },
  };
}

/** The log of an account's deliveries, or of all; the names of the others begin with `we_`. */
export const logName = (base: string, account?: string): string =>
  account === undefined ? `${base}log` : `${base}log:@${account}`;

/** @param fields Names and values alternating, as Redis returns a hash. */
export function toDelivery(id: string, fields: readonly string[]): Delivery {
  const at = (name: string): string | undefined => {
    for (let i = 0; i < fields.length; i += 2) if (fields[i] === name) return fields[i + 1];
    return undefined;
  };
  const nextAt = at("nextAt");
  const endedAt = at("endedAt");
  const reason = at("reason");
  return {
    id,
    event: at("event") ?? "",
    type: at("type") ?? "",
    account: at("account") ?? "",
    endpoint: at("endpoint") ?? "",
    state: (at("state") ?? "failed") as DeliveryState,
    attempts: Number(at("attempts")),
    createdAt: Number(at("createdAt")),
    since: Number(at("since")),
    ...(nextAt !== undefined && { nextAt: Number(nextAt) }),
    ...(endedAt !== undefined && { endedAt: Number(endedAt) }),
    ...(reason !== undefined && { reason }),
  };
}
