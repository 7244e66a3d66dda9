import type { Cluster, Redis } from "ioredis";
import { type RedisClient, serversOf } from "./client.ts";
import { type Guard, isReply } from "./guard.ts";
import { ownerOf, slotOf } from "./slots.ts";

/**
 * Messages between nodes, by topic: only nodes that listen to a topic get its messages. A message may get lost, so a listener must also check the store
 * now and then.
 */
export interface Channel {
  /** Resolves when Redis has published the message. @throws StoreError */
  call(topic: string, message: string): Promise<void>;
  /** Adds a listener; the first one opens a connection of its own. Returns a function that removes it. */
  listen(topic: string, listener: (message: string) => void): () => void;
  /**
   * Resolves when listeners receive every message published from then on, or may not subscribe (NOPERM). Waits as long
   * as Redis does not answer.
   */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const everyMs = 1000;
/** No request waits for a message. */
const callMs = 2000;
/** Detects a connection that a firewall dropped, by commands without an answer: see `socketTimeout` of the client. */
const looksPerPing = 10;

interface Topic {
  listeners: Set<(message: string) => void>;
  /** Resolved once it is heard, or need not be waited for. */
  hearing: PromiseWithResolvers<void>;
}

/** A connection to one server, which accepts no commands but subscriptions. */
interface Ear {
  connection: Redis;
  /** Names of topics that are subscribed, or are being subscribed. */
  names: Set<string>;
}

/**
 * In a cluster a topic is heard on the server that has its slot (sharded channels), over a connection to each server that is needed; on one server over one connection.
 * @param nameOf Returns the name of the channel of a topic in Redis.
 * @param look Called once a second while there are listeners and Redis answers.
 */
export function createChannel(options: {
  client: RedisClient;
  guard: Guard;
  nameOf: (topic: string) => string;
  look: () => Promise<void>;
}): Channel {
  const { client, guard, nameOf, look } = options;
  const topics = new Map<string, Topic>();
  const ears = new Map<string, Ear>();
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;
  let looking = false;

  function lookAround(): void {
    if (!guard.up || looking) return;
    looking = true;
    look()
      .catch(ignore)
      .finally(() => (looking = false));
  }

  /** Returns the server on which a channel is heard, and its address. */
  function serverOf(name: string): [address: string, server: Redis] | undefined {
    if (!client.isCluster) return ["", client as Redis];
    const address = ownerOf(client as Cluster, slotOf(name));
    const server = serversOf(client).find(({ options: { host, port } }) => `${host}:${port}` === address);
    return address === undefined || server === undefined ? undefined : [address, server];
  }

  function open(address: string, server: Redis): void {
    const ear = openEar(server, pass);
    ears.set(address, ear);
    // A connection to one server of a cluster is not made again by itself, and that server may be gone for good.
    ear.connection.on("end", () => {
      if (ears.get(address) !== ear) return;
      ears.delete(address);
      // Who waits for the old one has to look without it.
      for (const topic of topics.values()) topic.hearing.resolve();
    });
    // Messages published before this are lost.
    ear.connection.on("ready", () => {
      ear.names.clear();
      settle();
    });
    ear.connection.connect().catch(ignore);
  }

  function pass(name: string, message: string): void {
    for (const listener of topics.get(name)?.listeners ?? []) listener(message);
  }

  /** Subscribes to what is wanted where it is heard now, and ends what is not. */
  function settle(): void {
    const wanted = new Map<string, Set<string>>();
    for (const name of topics.keys()) {
      const [address, server] = serverOf(name) ?? [];
      if (address === undefined || server === undefined) continue;
      if (!ears.has(address)) open(address, server);
      wanted.set(address, (wanted.get(address) ?? new Set()).add(name));
    }
    for (const [address, ear] of ears) {
      const names = wanted.get(address);
      if (names === undefined) {
        ears.delete(address);
        ear.connection.disconnect();
      } else if (ear.connection.status === "ready") {
        for (const name of names.difference(ear.names)) void subscribe(ear, name);
        for (const name of ear.names.difference(names)) unsubscribe(ear, name);
      }
    }
  }

  async function subscribe({ connection, names }: Ear, name: string): Promise<void> {
    names.add(name);
    try {
      await (client.isCluster ? connection.ssubscribe(name) : connection.subscribe(name));
      topics.get(name)?.hearing.resolve();
      lookAround();
    } catch (error) {
      // A user who may not subscribe need not be waited for, and is not asked again over this connection.
      if (isReply(error) && (error as Error).message.startsWith("NOPERM"))
        topics.get(name)?.hearing.resolve();
      else names.delete(name);
    }
  }

  function unsubscribe({ connection, names }: Ear, name: string): void {
    names.delete(name);
    (client.isCluster ? connection.sunsubscribe(name) : connection.unsubscribe(name)).catch(ignore);
  }

  function tick(): void {
    looks += 1;
    settle();
    if (looks % looksPerPing === 0)
      for (const { connection } of ears.values())
        if (connection.status === "ready") connection.ping().catch(ignore);
    lookAround();
  }

  function begin(name: string): Topic {
    const topic: Topic = { listeners: new Set(), hearing: Promise.withResolvers() };
    topics.set(name, topic);
    timer ??= setInterval(tick, everyMs).unref();
    settle();
    return topic;
  }

  function end(name: string): void {
    topics.get(name)?.hearing.resolve();
    topics.delete(name);
    settle();
    if (topics.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    async call(topic, message) {
      const name = nameOf(topic);
      await guard.run("write", callMs, () =>
        client.isCluster ? client.spublish(name, message) : client.publish(name, message),
      );
    },
    listen(topic, listener) {
      const name = nameOf(topic);
      // A new function for each call, so that the same listener may be added twice.
      const own = (message: string): void => listener(message);
      const { listeners } = topics.get(name) ?? begin(name);
      listeners.add(own);
      return () => {
        if (listeners.delete(own) && listeners.size === 0) end(name);
      };
    },
    ready: async () => void (await Promise.all([...topics.values()].map(({ hearing }) => hearing.promise))),
    async close() {
      for (const name of topics.keys()) end(name);
    },
  };
}

function openEar(server: Redis, pass: (name: string, message: string) => void): Ear {
  const connection = server.duplicate({
    lazyConnect: true,
    enableAutoPipelining: false,
    autoResubscribe: false,
    connectionName: "penknife-listener",
  });
  const names = new Set<string>();
  connection.on("error", ignore);
  // A slot has moved.
  connection.on("moved", () => names.clear());
  connection.on("message", pass);
  connection.on("smessage", pass);
  return { connection, names };
}

/** The store's own connection reports the fault. Without the right to subscribe (NOPERM), `look` has to suffice. */
const ignore = (): void => {};
