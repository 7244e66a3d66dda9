import type { RedisClient } from "./client.ts";
import type { Guard } from "./guard.ts";
import type { InboxNames } from "./inbox-names.ts";
import * as scripts from "./inbox-scripts.ts";

const waitMs = 5000;
/** Messages measured at once. */
const sizesAtOnce = 200;

/** What scripts leave to their caller, because they do not know the names of the messages in an inbox. */
export interface InboxDrops {
  /** Notes the sizes of messages that were added before sizes were kept. */
  measure(inbox: string): Promise<void>;
  /** Removes messages that a script has dropped; Redis expires those for which this fails. */
  forget(inbox: string, ids: readonly string[]): Promise<void>;
}

export function createInboxDrops(options: {
  client: RedisClient;
  guard: Guard;
  names: InboxNames;
}): InboxDrops {
  const { client, guard, names: place } = options;
  const { messageName, eventName } = place;
  return {
    async measure(inbox) {
      const log = place.logOf(inbox);
      const size = place.sizeOf(inbox);
      for (let from = 0; ; from += sizesAtOnce) {
        const until = from + sizesAtOnce - 1;
        const ids = await guard.run("read", waitMs, () => client.zrange(log, from, String(until)));
        if (ids.length === 0) return;
        const parts = await guard.run("read", waitMs, () =>
          Promise.all(
            ids.flatMap((id) =>
              ["about", "body"].map((field) => client.hstrlen(messageName(inbox, id), field)),
            ),
          ),
        );
        const known = await guard.run("read", waitMs, () => client.hmget(size, ...ids));
        const words = ids.flatMap((id, at) =>
          known[at] === null ? [id, sizeOfParts(parts[2 * at] ?? 0, parts[2 * at + 1] ?? 0)] : [],
        );
        if (words.length > 0) await guard.run("write", waitMs, () => scripts.resize(client, [size], words));
      }
    },
    async forget(inbox, ids) {
      if (ids.length === 0) return;
      const names = ids.map((id) => messageName(inbox, id));
      const events = await guard.run("read", waitMs, () =>
        Promise.all(names.map((name) => client.hget(name, "event"))),
      );
      await guard.run("write", waitMs, () =>
        Promise.all(
          names.map((name, index) => {
            const event = events[index] ?? undefined;
            const keys = [name, event === undefined ? name : eventName(inbox, event)];
            return scripts.forget(client, keys, [ids[index] as string]);
          }),
        ),
      );
    },
  };
}

/** As `sizeOf`, by the bytes of a stored message. */
const sizeOfParts = (about: number, body: number): number => about + Math.ceil(body / 3) * 4 + 64;
