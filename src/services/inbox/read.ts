import { ToolError } from "../../catalog/errors.ts";
import { defined } from "../../lib/defined.ts";
import { StoreError } from "../../storage/errors.ts";
import type { InboxStats, InboxStore, Kept, Message } from "../../storage/inbox/inbox-store.ts";
import type { Store } from "../../storage/storage.ts";
import { toUnavailable } from "../../storage/unavailable.ts";

/** Selects messages of an inbox. */
export interface MessageQuery {
  /** Return messages after the one with this id; `newest` skips all that exist now. */
  after?: string;
  /** Return messages of this type only. */
  type?: string;
}

export interface Page {
  messages: Message[];
  /** Whether there may be more after the last one. */
  more: boolean;
}

/** Reads received messages for the owner of an inbox. Every method throws ToolError storage_unavailable if the store does not answer. */
export interface Reader {
  stats(inbox: string): Promise<InboxStats>;
  /** Oldest first; fewer than `limit` if their bodies are large. */
  page(inbox: string, query: MessageQuery & { limit: number }): Promise<Page>;
  /** @throws ToolError not_found. */
  get(inbox: string, id: string): Promise<Message>;
  /** Returns the message after this one, of any type. */
  next(inbox: string, after: string | undefined): Promise<Message | undefined>;
  onMessage(inbox: string, listener: () => void): Promise<() => void>;
}

/** The newest message, as a value of `after`. */
export const newest = "newest";

export const isMessageId = (text: string): boolean => /^msg_[0-9a-f-]{36}$/.test(text);

/** Bytes of bodies that end a page. The page and its JSON are built in memory. */
const pageBytes = 1024 * 1024;
/** Messages read at a time while a page is filled. */
const step = 4;

export function createReader(deps: {
  store: Pick<Store, "inbox">;
  kept: Kept;
  onError(error: StoreError): void;
}): Reader {
  const { store, kept, onError } = deps;

  async function using<Result>(work: (received: InboxStore) => Result | Promise<Result>): Promise<Result> {
    try {
      return await work(await store.inbox());
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      onError(error);
      throw toUnavailable(error);
    }
  }

  const readAfter = (
    inbox: string,
    after: string | undefined,
    limit: number,
    type?: string,
  ): Promise<Message[]> =>
    using((received) =>
      received.read(inbox, {
        limit,
        kept,
        ...defined({ after, type }),
      }),
    );

  return {
    stats: (inbox) => using((received) => received.stats(inbox, kept)),
    async page(inbox, { after, type, limit }) {
      const messages: Message[] = [];
      if (after === newest) return { messages, more: false };
      let bytes = 0;
      for (let from = after; ;) {
        const some = await readAfter(inbox, from, Math.min(step, limit), type);
        for (const message of some) {
          if (messages.length === limit || bytes >= pageBytes) return { messages, more: true };
          from = message.id;
          messages.push(message);
          bytes += message.body.length;
        }
        if (some.length === 0) return { messages, more: false };
      }
    },
    async get(inbox, id) {
      const found = await using((received) => received.get(inbox, id, kept));
      if (found !== undefined) return found;
      throw new ToolError("not_found", "There is no such message, or it has expired.");
    },
    next: async (inbox, after) => (await readAfter(inbox, after, 1))[0],
    onMessage: (inbox, listener) => using((received) => received.onMessage(inbox, listener)),
  };
}
