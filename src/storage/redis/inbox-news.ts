import type { RedisClient } from "./client.ts";
import { createListeners } from "../inbox/listeners.ts";
import { createChannel } from "./channel.ts";
import type { Guard } from "./guard.ts";

export interface InboxNews {
  /** The channel of messages `INBOX NUMBER`, whose number grows with each message. */
  readonly channel: string;
  listen(inbox: string, listener: () => void): () => void;
  close(): Promise<void>;
}

const waitMs = 2000;

interface Watched {
  listeners: number;
  /** The last number reported; undefined until it is known. */
  seq: number | undefined;
}

/** Notifies listeners of each message once, even if the message of the channel got lost. */
export function createInboxNews(options: {
  client: RedisClient;
  guard: Guard;
  channel: string;
  /** Returns the name of the hash with the last number of an inbox. */
  stateOf(inbox: string): string;
}): InboxNews {
  const { client, guard, channel: channelName, stateOf } = options;
  const listeners = createListeners();
  const watched = new Map<string, Watched>();
  const channel = createChannel({ client, guard, name: channelName, look });
  let endListening: (() => void) | undefined;

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

  function receive(message: string): void {
    const [inbox = "", seq] = message.split(" ");
    report(inbox, Number(seq));
  }

  return {
    channel: channelName,
    listen(inbox, listener) {
      let known = watched.get(inbox);
      if (known === undefined) {
        const fresh: Watched = { listeners: 0, seq: undefined };
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
      endListening ??= channel.listen(receive);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        end();
        own.listeners -= 1;
        if (own.listeners === 0) watched.delete(inbox);
        if (watched.size > 0) return;
        endListening?.();
        endListening = undefined;
      };
    },
    close: channel.close,
  };
}
