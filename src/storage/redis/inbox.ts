import type { Redis } from "ioredis";
import { type InboxStore, type Kept, type Message, sizeOf, sweptAfterMs } from "../inbox/inbox-store.ts";
import { fullInbox, type Room } from "../inbox/ledger.ts";
import type { StoreOperation } from "../errors.ts";
import type { Guard } from "./guard.ts";
import { createInboxNews } from "./inbox-news.ts";
import * as scripts from "./inbox-scripts.ts";
import { type Marker, markKey } from "./marker.ts";
import type { Script, ScriptArgument } from "./script.ts";

export interface RedisInboxOptions {
  client: Redis;
  guard: Guard;
  /** Prefix of every name in Redis. */
  prefix: string;
  /** If given, an emptied Redis accepts nothing and reports nothing as missing. */
  marker?: Marker;
  /** Replaces the clock of Redis in tests; epoch milliseconds. */
  time?: () => number;
}

type About = Omit<Message, "id" | "body">;

const waitMs = 5000;
/** Messages fetched at once, of at most a megabyte each. */
const atOnce = 8;
/** Messages fetched at once without their bodies, of at most 16 KB each. */
const aboutsAtOnce = 64;

/** Inboxes for many nodes. Each message is an entry of its own, which Redis expires. */
export function createRedisInbox(options: RedisInboxOptions): InboxStore {
  const { client, guard, prefix, marker, time } = options;
  const base = `${prefix}inbox:`;
  /** The hash of the bytes that inboxes hold. */
  const sizes = `${base}sizes`;
  const news = createInboxNews({ client, guard, base });

  function run(
    operation: StoreOperation,
    script: Script,
    inbox: string,
    { messages, ms, bytes }: Kept,
    ...args: ScriptArgument[]
  ): Promise<unknown> {
    const header = [time?.() ?? "", finite(messages), Math.ceil(finite(ms)), finite(bytes), sizes, inbox];
    return guard.run(operation, waitMs, () => script(client, `${base}${inbox}:`, [...header, ...args]));
  }

  const nameOf = (inbox: string, id: string): string => `${base}${inbox}:m:${id}`;

  async function ofType(inbox: string, ids: readonly string[], type: string): Promise<string[]> {
    const all = await guard.run("read", waitMs, () =>
      Promise.all(ids.map((id) => client.hget(nameOf(inbox, id), "about"))),
    );
    return ids.filter((_, index) => {
      const about = all[index];
      return typeof about === "string" && (JSON.parse(about) as About).type === type;
    });
  }

  async function fetch(inbox: string, ids: readonly string[]): Promise<Message[]> {
    const found: Message[] = [];
    for (let from = 0; from < ids.length; from += atOnce) {
      const some = ids.slice(from, from + atOnce);
      const all = await guard.run("read", waitMs, () =>
        Promise.all(some.map((id) => client.hmgetBuffer(nameOf(inbox, id), "about", "body"))),
      );
      for (const [index, [about, body]] of all.entries()) {
        // It may have been removed at this moment to make room.
        if (about === null || about === undefined || body === null || body === undefined) continue;
        found.push({ ...(JSON.parse(about.toString()) as About), id: some[index] as string, body });
      }
    }
    return found;
  }

  async function add(inbox: string, message: Message, kept: Kept, room?: Room): Promise<boolean> {
    const { id, body, ...about } = message;
    const mark = marker === undefined ? "" : markKey(prefix);
    const hasEvent = about.event === undefined ? "" : "event";
    const place = [mark, news.channel, id, about.at];
    const { account = "", accountBytes = 0, storeBytes = 0 } = room ?? {};
    const text = JSON.stringify(about);
    // Copied: the bytes are sent later, and the caller may reuse its buffer.
    const own = Buffer.from(body);
    const added = await run(
      "write",
      scripts.add,
      inbox,
      kept,
      ...place,
      text,
      own,
      hasEvent,
      about.event ?? "",
      sizeOf(message),
      account,
      finite(accountBytes),
      finite(storeBytes),
    );
    if (added === "account") throw fullInbox(added, accountBytes);
    if (added === "store") throw fullInbox(added, storeBytes);
    if (added !== "emptied") return added === 1;
    await marker?.check();
    // The inbox was restored at this moment.
    return add(inbox, message, kept, room);
  }

  /** In steps; an inbox may be in two of them. */
  async function* inboxesWithBytes(): AsyncIterable<string> {
    let cursor = "0";
    do {
      const from = cursor;
      const [next, flat] = await guard.run("read", waitMs, () =>
        client.hscan(sizes, from, "MATCH", "i:*", "COUNT", 1000),
      );
      cursor = next;
      yield* flat.filter((_, index) => index % 2 === 0).map((field) => field.slice(2));
    } while (cursor !== "0");
  }

  async function remove(inbox: string): Promise<void> {
    while ((await run("write", scripts.remove, inbox, { messages: 0, ms: 0, bytes: 0 })) === 1);
  }

  return {
    add,
    async read(inbox, { after, type, limit, kept }) {
      const step = type === undefined ? limit : Math.max(limit, aboutsAtOnce);
      for (let from = after; ;) {
        const ids = (await run("read", scripts.idsAfter, inbox, kept, from ?? "", step)) as string[];
        from = ids.at(-1);
        if (from === undefined) {
          await marker?.check();
          return [];
        }
        const wanted = type === undefined ? ids : await ofType(inbox, ids, type);
        const found = await fetch(inbox, wanted.slice(0, limit));
        if (found.length > 0) return found;
      }
    },
    async get(inbox, id, kept) {
      if ((await run("read", scripts.isKept, inbox, kept, id)) === 1) return (await fetch(inbox, [id]))[0];
      await marker?.check();
      return undefined;
    },
    async stats(inbox, kept) {
      const [messages, duplicates, newest] = (await run("read", scripts.stats, inbox, kept)) as [
        number,
        string | number,
        string | null,
      ];
      const [last] = newest === null ? [] : await fetch(inbox, [newest]);
      if (newest === null) await marker?.check();
      return {
        messages,
        duplicates: Number(duplicates),
        ...(last !== undefined && { newestAt: last.at, newestId: last.id }),
      };
    },
    remove,
    async sweep(isKnown, kept) {
      for await (const inbox of inboxesWithBytes()) {
        const newestAt = Number(await run("write", scripts.sweep, inbox, kept));
        const isOld = newestAt < (time?.() ?? Date.now()) - sweptAfterMs;
        if (isOld && !(await isKnown(inbox))) await remove(inbox);
      }
      await run("write", scripts.tally, "", kept);
    },
    onMessage: news.listen,
    close: news.close,
  };
}

/** Lua cannot parse Infinity. */
const finite = (number: number): number => Math.min(number, Number.MAX_SAFE_INTEGER);
