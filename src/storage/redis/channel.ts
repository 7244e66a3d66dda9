import type { Redis } from "ioredis";
import { type RedisClient, serversOf } from "./client.ts";
import { type Guard, isReply } from "./guard.ts";

/** Messages between nodes. A message may get lost, so a listener must also check the store now and then. */
export interface Channel {
  /** Resolves when Redis has published the message. @throws StoreError */
  call(message: string): Promise<void>;
  /** Adds a listener; the first one opens a connection of its own. Returns a function that removes it. */
  listen(listener: (message: string) => void): () => void;
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

/** @param look Called once a second while there are listeners and Redis answers. */
export function createChannel(options: {
  client: RedisClient;
  guard: Guard;
  name: string;
  look: () => Promise<void>;
}): Channel {
  const { client, guard, name, look } = options;
  const listeners = new Set<(message: string) => void>();
  let connection: Redis | undefined;
  let hearing = Promise.withResolvers<void>();
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

  function open(): void {
    const servers = serversOf(client);
    // In a cluster every server hears of every message.
    const server = servers[Math.floor(Math.random() * servers.length)];
    if (server === undefined) return reopenSoon();
    // A subscribed connection accepts no other commands.
    const opened = server.duplicate({
      lazyConnect: true,
      enableAutoPipelining: false,
      autoResubscribe: false,
      connectionName: "penknife-listener",
    });
    connection = opened;
    hearing = Promise.withResolvers();
    opened.on("error", ignore);
    // A connection to one server of a cluster is not made again by itself, and that server may be gone for good.
    opened.on("end", () => {
      if (connection !== opened) return;
      clearInterval(timer);
      connection = undefined;
      // Who waits for the old one has to look without it.
      hearing.resolve();
      reopenSoon();
    });
    opened.on("ready", () => {
      // Messages published before this are lost.
      void opened.subscribe(name).then(heard, refused);
    });
    function heard(): void {
      if (connection === opened) hearing.resolve();
      lookAround();
    }
    /** A user who may not subscribe need not be waited for. */
    function refused(error: unknown): void {
      if (connection === opened && isReply(error)) hearing.resolve();
    }
    opened.on("message", (_, message: string) => {
      for (const listener of listeners) listener(message);
    });
    opened.connect().catch(ignore);
    timer = setInterval(() => {
      looks += 1;
      if (looks % looksPerPing === 0 && opened.status === "ready") opened.ping().catch(ignore);
      lookAround();
    }, everyMs).unref();
  }

  function reopenSoon(): void {
    setTimeout(() => {
      if (connection === undefined && listeners.size > 0) open();
    }, everyMs).unref();
  }

  function shut(): void {
    clearInterval(timer);
    connection?.disconnect();
    connection = undefined;
    hearing.resolve();
  }

  return {
    async call(message) {
      await guard.run("write", callMs, () => client.publish(name, message));
    },
    listen(listener) {
      // A new function for each call, so that the same listener may be added twice.
      const own = (message: string): void => listener(message);
      listeners.add(own);
      if (connection === undefined) open();
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) shut();
      };
    },
    ready: async () => (connection === undefined ? undefined : hearing.promise),
    async close() {
      listeners.clear();
      shut();
    },
  };
}

/** The store's own connection reports the fault. Without the right to subscribe (NOPERM), `look` has to suffice. */
const ignore = (): void => {};
