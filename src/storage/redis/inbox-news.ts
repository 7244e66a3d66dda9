import type { RedisClient } from "./client.ts";
import { createListeners } from "../inbox/listeners.ts";
import { createChannel } from "./channel.ts";
import type { Guard } from "./guard.ts";

export interface InboxNews {
  listen(inbox: string, listener: () => void): () => void;
  close(): Promise<void>;
}

const waitMs = 2000;

interface Watched {
  listeners: number;
  endListening(): void;
  /** The last number reported; undefined until it is known. */
  seq: number | undefined;
}

/** Notifies listeners of each message once, even if the message of the channel got lost. */
export function createInboxNews(options: {
  client: RedisClient;
  guard: Guard;
  /** Returns the channel of an inbox, whose messages are numbers that grow with each message of it. */
  channelOf(inbox: string): string;
  /** Returns the name of the hash with the last number of an inbox. */
  stateOf(inbox: string): string;
}): InboxNews {
  const { client, guard, channelOf, stateOf } = options;
  const listeners = createListeners();
  const watched = new Map<string, Watched>();
  const channel = createChannel({ client, guard, nameOf: channelOf, look });

  function report(inbox: string, seq: number): void {
    const known = watched.get(inbox);
    if (known === undefined || seq <= (known.seq ?? 0)) return;
    known.seq = seq;
    listeners.notify(inbox);
  }

  const lastOf = async (inbox: string): Promise<number> =>
    Number(await guard.run("read", waitMs, () => client.hget(stateOf(inbox), "seq")));

  /** Finds messages whose notification got lost. */
  async function look(): Promise<void> {
    await Promise.all([...watched.keys()].map(async (inbox) => report(inbox, await lastOf(inbox))));
  }

  return {
    listen(inbox, listener) {
      let known = watched.get(inbox);
      if (known === undefined) {
        const endListening = channel.listen(inbox, (message) => report(inbox, Number(message)));
        const fresh: Watched = { listeners: 0, endListening, seq: undefined };
        known = fresh;
        watched.set(inbox, fresh);
        // Messages already stored are not new. Sent before any command of the listener.
        lastOf(inbox).then(
          (seq) => (fresh.seq ??= seq),
          () => undefined,
        );
      }
      const own = known;
      own.listeners += 1;
      const end = listeners.add(inbox, listener);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        end();
        own.listeners -= 1;
        if (own.listeners > 0) return;
        watched.delete(inbox);
        own.endListening();
      };
    },
    close: channel.close,
  };
}
