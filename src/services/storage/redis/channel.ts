import type { Redis } from "ioredis";
import type { Guard } from "./guard.ts";

/** What nodes call out to one another. A call can get lost: whoever listens has to look for himself now and then. */
export interface Channel {
  /** Opens a connection of its own with the first listener. Returns how to end that. */
  listen(listener: (message: string) => void): () => void;
  close(): Promise<void>;
}

const everyMs = 1000;
/** A connection that a firewall forgot is found by what is not answered: see `socketTimeout` of the client. */
const looksPerPing = 10;

/** @param look Called once a second while somebody listens and Redis answers. */
export function createChannel(options: {
  client: Redis;
  guard: Guard;
  name: string;
  look: () => Promise<void>;
}): Channel {
  const { client, guard, name, look } = options;
  const listeners = new Set<(message: string) => void>();
  let connection: Redis | undefined;
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
    // A connection that has subscribed takes no other commands.
    const opened = client.duplicate({
      lazyConnect: true,
      enableAutoPipelining: false,
      autoResubscribe: false,
      connectionName: "penknife-listener",
    });
    connection = opened;
    opened.on("error", ignore);
    opened.on("ready", () => {
      // What was called out before this is lost.
      void opened.subscribe(name).then(lookAround, ignore);
    });
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

  function shut(): void {
    clearInterval(timer);
    connection?.disconnect();
    connection = undefined;
  }

  return {
    listen(listener) {
      // One of its own for each call, so that the same function may listen twice.
      const own = (message: string): void => listener(message);
      listeners.add(own);
      if (connection === undefined) open();
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) shut();
      };
    },
    async close() {
      listeners.clear();
      shut();
    },
  };
}

/** The store's own connection tells of it. Where this one may not listen (NOPERM), looking has to do. */
const ignore = (): void => {};
