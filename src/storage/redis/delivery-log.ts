import type { Attempt, Delivery, DeliveryQuery, DeliveryQueue } from "../deliveries/delivery-queue.ts";
import { isAskedFor } from "../deliveries/newest.ts";
import type { RedisClient } from "./client.ts";
import type { Shard, Shards } from "./delivery-shards.ts";
import { get } from "./delivery-upkeep.ts";
import type { Guard } from "./guard.ts";
import type { Marker } from "./marker.ts";

const waitMs = 5000;
const pageSize = 200;

interface Entry {
  shard: Shard;
  /** The time and the id: entries are ordered by it. */
  place: string;
}

/** Reads waiting and ended deliveries. An empty answer is trusted only while the mark of the store exists. */
export function createDeliveryLog(options: {
  client: RedisClient;
  guard: Guard;
  shards: Shards;
  marker: Marker | undefined;
}): Pick<DeliveryQueue, "get" | "list"> {
  const { client, guard, shards, marker } = options;
  const read = <T>(work: () => Promise<T>): Promise<T> => guard.run("read", waitMs, work);

  /** Returns the value of a field in the first shard that has it. */
  async function findIn(among: readonly Shard[], part: "deliveries" | "events", field: string) {
    const texts = await read(() => Promise.all(among.map((shard) => client.hget(shard.nameOf(part), field))));
    const index = texts.findIndex((text) => text !== null);
    return index === -1 ? undefined : { shard: among[index] as Shard, text: texts[index] as string };
  }

  /** Yields the entries of a shard's log, newest first; one may be repeated if others are added meanwhile. */
  async function* entriesIn(
    shard: Shard,
    list: string,
    { below, since }: { below: string | undefined; since: number },
  ): AsyncGenerator<Entry> {
    // `0` is the character after `/`.
    let from = below === undefined ? `(${list}0` : `(${list}/${below}`;
    const to = `[${list}/${toOrder(since)}`;
    for (;;) {
      const max = from;
      const members = await read(() =>
        client.zrange(shard.nameOf("log"), max, to, "BYLEX", "REV", "LIMIT", 0, pageSize),
      );
      for (const member of members) yield { shard, place: member.slice(list.length + 1) };
      if (members.length < pageSize) return;
      from = `(${members.at(-1)}`;
    }
  }

  /** Returns where in the logs a delivery is, so that what follows it can be read; undefined if it is gone. */
  async function placeOf({ event, after }: DeliveryQuery): Promise<string | undefined> {
    // The deliveries of an event are not read from a log.
    if (event !== undefined || after === undefined) return undefined;
    const found = await findIn(shards.all, "deliveries", after.id);
    return found && `${(JSON.parse(found.text) as { order: string }).order}/${after.id}`;
  }

  async function* entriesOf(
    { account, endpoint, event, since = 0 }: DeliveryQuery,
    below: string | undefined,
  ): AsyncGenerator<Entry> {
    const among = account === undefined ? shards.all : [shards.of(account)];
    if (event === undefined) {
      const list = endpoint ?? (account === undefined ? "*" : `@${account}`);
      yield* merge(among.map((shard) => entriesIn(shard, list, { below, since })));
      return;
    }
    const found = await findIn(among, "events", event);
    if (found === undefined) return;
    const [, ...ids] = found.text.split(" ");
    for (const id of ids.toReversed()) yield { shard: found.shard, place: `/${id}` };
  }

  async function recordsOf(some: readonly Entry[]): Promise<Delivery[]> {
    const texts = await read(() =>
      Promise.all(some.map(({ shard, place }) => client.hget(shard.nameOf("deliveries"), idIn(place)))),
    );
    return some.flatMap(({ place }, index) => {
      const text = texts[index];
      return text === null || text === undefined ? [] : [toDelivery(idIn(place), text)];
    });
  }

  return {
    async get(id) {
      const found = (await Promise.all(shards.all.map((shard) => shard.run("read", get, [id])))).find(
        (one) => one !== null,
      ) as [string, string, string | null] | undefined;
      if (found === undefined) await marker?.check();
      if (found === undefined || found[2] === null) return undefined;
      const [text, attempts, body] = found;
      const log = attempts.split("\n").filter(Boolean);
      return { ...toDelivery(id, text), log: log.map((line) => JSON.parse(line) as Attempt), body };
    },
    async list(query) {
      const found = new Map<string, Delivery>();
      const { after: _after, ...others } = query;
      const below = await placeOf(query);
      // The logs order deliveries of one millisecond by their arrival and not by id, so what follows `after` in them is
      // not compared again. Without a place they are read from their beginning, and `after` selects.
      const asked = below === undefined ? query : others;
      for await (const some of inBatches(entriesOf(query, below))) {
        for (const delivery of await recordsOf(some)) {
          if (isAskedFor(delivery, asked)) found.set(delivery.id, delivery);
          if (found.size >= query.limit) return [...found.values()];
        }
      }
      if (found.size === 0) await marker?.check();
      return [...found.values()];
    },
  };
}

const idIn = (place: string): string => place.slice(place.indexOf("/") + 1);

/** The form of times in the logs: 13 digits and 12 of the fraction, which only orders what was added in one millisecond. */
export const toOrder = (at: number): string => at.toFixed(12).padStart(26, "0");

/** Yields the entries of several streams, each of which is ordered, in one order: those with the greatest place first. */
async function* merge(streams: readonly AsyncGenerator<Entry>[]): AsyncGenerator<Entry> {
  const heads = await Promise.all(streams.map((stream) => stream.next()));
  for (;;) {
    let first: number | undefined;
    for (const [index, { done, value }] of heads.entries()) {
      if (done === true) continue;
      const best = first === undefined ? undefined : (heads[first]?.value as Entry);
      if (best === undefined || (value as Entry).place > best.place) first = index;
    }
    if (first === undefined) return;
    yield heads[first]?.value as Entry;
    heads[first] = await (streams[first] as AsyncGenerator<Entry>).next();
  }
}

async function* inBatches(entries: AsyncGenerator<Entry>): AsyncGenerator<Entry[]> {
  let some: Entry[] = [];
  for await (const entry of entries) {
    some.push(entry);
    if (some.length < pageSize) continue;
    yield some;
    some = [];
  }
  yield some;
}

/** @param text As scripts store it. */
export function toDelivery(id: string, text: string): Delivery {
  const stored = JSON.parse(text) as Omit<Delivery, "id">;
  const { event, type, account, endpoint, state, attempts, createdAt, since } = stored;
  const { nextAt, endedAt, reason } = stored;
  return {
    id,
    event,
    type,
    account,
    endpoint,
    state,
    attempts,
    createdAt,
    since,
    ...(nextAt !== undefined && { nextAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(reason !== undefined && { reason }),
  };
}
