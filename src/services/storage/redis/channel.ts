import type { Redis } from "ioredis";
import { type Guard, isReply } from "./guard.ts";

/** What nodes call out to one another. A call can get lost: whoever listens has to look for himself now and then. */
export interface Channel {
  /** Resolves when Redis has passed it on. @throws StoreError. */
  call(message: string): Promise<void>;
  /** Opens a connection of its own with the first listener. Returns how to end that. */
  listen(listener: (message: string) => void): () => void;
  /**
   * Resolves when those who listen hear what is called out from then on, or may not: NOPERM. Waits as long as Redis does
   * not answer.
   */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const everyMs = 1000;
/** Nobody waits for a call. */
const callMs = 2000;
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
    // A connection that has subscribed takes no other commands.
    const opened = client.duplicate({
      lazyConnect: true,
      enableAutoPipelining: false,
      autoResubscribe: false,
      connectionName: "penknife-listener",
    });
    connection = opened;
    hearing = Promise.withResolvers();
    opened.on("error", ignore);
    opened.on("ready", () => {
      // What was called out before this is lost.
      void opened.subscribe(name).then(heard, refused);
    });
    function heard(): void {
      if (connection === opened) hearing.resolve();
      lookAround();
    }
    /** Whoever may not listen need not wait for it. */
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
      // One of its own for each call, so that the same function may listen twice.
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

/** The store's own connection tells of it. Where this one may not listen (NOPERM), looking has to do. */
const ignore = (): void => {};
