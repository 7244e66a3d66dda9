import { type RedisClient, tagOf } from "./client.ts";
import { type InboxStore, type Kept, type Message, sizeOf, sweptAfterMs } from "../inbox/inbox-store.ts";
import { fullInbox, type Room } from "../inbox/ledger.ts";
import type { StoreOperation } from "../errors.ts";
import type { Guard } from "./guard.ts";
import { createInboxDrops } from "./inbox-drops.ts";
import { createInboxNames } from "./inbox-names.ts";
import { createInboxNews } from "./inbox-news.ts";
import * as scripts from "./inbox-scripts.ts";
import { createInboxSums, finite } from "./inbox-sums.ts";
import { type Marker, markKey } from "./marker.ts";
import { type Script, type ScriptArgument, toAnnounced } from "./script.ts";

export interface RedisInboxOptions {
  client: RedisClient;
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
  const mark = marker === undefined ? undefined : markKey(prefix, tagOf(client));
  const names = createInboxNames(client, base);
  const { messageName, eventName, sizes } = names;
  const news = createInboxNews({ client, guard, channelOf: names.channelOf, stateOf: names.stateOf });
  const { measure, forget } = createInboxDrops({ client, guard, names });
  const { reserve, adjust, book, inboxes } = createInboxSums({ client, guard, sizes });

  /** Runs a script; `args` and `more` names follow those that every script has. */
  async function run(
    operation: StoreOperation,
    script: Script,
    inbox: string,
    { messages, ms, bytes }: Kept,
    args: readonly ScriptArgument[] = [],
    more: readonly string[] = [],
  ): Promise<unknown> {
    const keys = [...names.ofScripts(inbox), ...more];
    const header = [time?.() ?? "", finite(messages), Math.ceil(finite(ms)), finite(bytes), inbox];
    for (;;) {
      const answer = await guard.run(operation, waitMs, () => script(client, keys, [...header, ...args]));
      if (answer !== "unsized") return answer;
      await measure(inbox);
    }
  }

  async function ofType(inbox: string, ids: readonly string[], type: string): Promise<string[]> {
    const all = await guard.run("read", waitMs, () =>
      Promise.all(ids.map((id) => client.hget(messageName(inbox, id), "about"))),
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
        Promise.all(some.map((id) => client.hmgetBuffer(messageName(inbox, id), "about", "body"))),
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
    const name = messageName(inbox, id);
    const { account = "", accountBytes = 0, storeBytes = 0 } = room ?? {};
    // The mark of a cluster lies on another server than the inbox.
    if (client.isCluster) await marker?.check(waitMs, names.logOf(inbox));
    const more = [
      name,
      about.event === undefined ? name : eventName(inbox, about.event),
      client.isCluster ? name : (mark ?? name),
    ];
    const bytes = sizeOf(message);
    const { reserved, limits } = await reserve(inbox, bytes, room);
    const event = about.event ?? "";
    // Copied: the bytes are sent later, and the caller may reuse its buffer.
    const channel = toAnnounced(client, names.channelOf(inbox));
    const parts = [channel, id, about.at, JSON.stringify(about), Buffer.from(body), event];
    const words = [...parts, bytes, account, ...limits];
    const answer = await run("write", scripts.add, inbox, kept, words, more);
    if (answer === "emptied") {
      await marker?.check(undefined, names.logOf(inbox));
      // The inbox was restored at this moment.
      return add(inbox, message, kept, room);
    }
    const [added, growth, dropped] = answer as [number | "account" | "store", number, string[]];
    await forget(inbox, dropped);
    await adjust(inbox, growth - reserved, account);
    if (added === "account") throw fullInbox(added, accountBytes);
    if (added === "store") throw fullInbox(added, storeBytes);
    return added === 1;
  }

  async function remove(inbox: string): Promise<void> {
    for (let isMore = 1; isMore === 1;) {
      const removed = await run("write", scripts.remove, inbox, { messages: 0, ms: 0, bytes: 0 });
      const [more, ids] = removed as [number, string[]];
      await forget(inbox, ids);
      isMore = more;
    }
    await book(inbox, 0);
  }

  return {
    add,
    async read(inbox, { after, type, limit, kept }) {
      const step = type === undefined ? limit : Math.max(limit, aboutsAtOnce);
      for (let from = after; ;) {
        const ids = (await run("read", scripts.idsAfter, inbox, kept, [from ?? "", step])) as string[];
        from = ids.at(-1);
        if (from === undefined) {
          await marker?.check(undefined, names.logOf(inbox));
          return [];
        }
        const wanted = type === undefined ? ids : await ofType(inbox, ids, type);
        const found = await fetch(inbox, wanted.slice(0, limit));
        if (found.length > 0) return found;
      }
    },
    async get(inbox, id, kept) {
      if ((await run("read", scripts.isKept, inbox, kept, [id])) === 1) return (await fetch(inbox, [id]))[0];
      await marker?.check(undefined, names.logOf(inbox));
      return undefined;
    },
    async stats(inbox, kept) {
      const [messages, duplicates, newest] = (await run("read", scripts.stats, inbox, kept)) as [
        number,
        string | number,
        string | null,
      ];
      const [last] = newest === null ? [] : await fetch(inbox, [newest]);
      if (newest === null) await marker?.check(undefined, names.logOf(inbox));
      return {
        messages,
        duplicates: Number(duplicates),
        ...(last !== undefined && { newestAt: last.at, newestId: last.id }),
      };
    },
    remove,
    async sweep(isKnown, kept) {
      for await (const inbox of inboxes()) {
        const swept = await run("write", scripts.sweep, inbox, kept);
        const [newestAt, bytes, dropped] = swept as [string, number, string[]];
        await forget(inbox, dropped);
        await book(inbox, bytes);
        const isOld = Number(newestAt) < (time?.() ?? Date.now()) - sweptAfterMs;
        if (isOld && !(await isKnown(inbox))) await remove(inbox);
      }
      await guard.run("write", waitMs, () => scripts.tally(client, [sizes], []));
    },
    onMessage: news.listen,
    close: news.close,
  };
}
