import { type Seal, SealError } from "../storage/seal.ts";
import { StoreError } from "../storage/errors.ts";
import type { InboxStore, Message } from "../storage/inbox/inbox-store.ts";

/** The name of the header that stands for what is sealed: no header of a request can have it. */
const marker = ":sealed";
const lineFeed = 0x0a;

type Hidden = Pick<Message, "query" | "headers">;

/**
 * Keeps query, headers and body of messages encrypted where there is a key: a sender's credentials may be in any of them,
 * and GitLab's token is the secret of the inbox itself. Messages that were kept in clear are read as they are.
 */
export function sealMessages(store: InboxStore, seal: Seal): InboxStore {
  function close(inbox: string, message: Message): Message {
    const { query, headers, body, ...rest } = message;
    const text = Buffer.from(`${JSON.stringify({ query, headers } satisfies Hidden)}\n`);
    const closed = seal.closeBytes(Buffer.concat([text, body]), ownerOf(inbox, message));
    if (closed === undefined) return message;
    return { ...rest, query: "", headers: [[marker, closed.by]], body: closed.sealed };
  }

  function open(inbox: string, message: Message): Message {
    const [name, by = ""] = message.headers[0] ?? [];
    if (name !== marker) return message;
    try {
      const bytes = seal.openBytes(message.body, by, ownerOf(inbox, message));
      const end = bytes.indexOf(lineFeed);
      const hidden = JSON.parse(bytes.toString("utf8", 0, end)) as Hidden;
      return { ...message, ...hidden, body: bytes.subarray(end + 1) };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      throw new StoreError("read", error.message.replace("The secret of ", ""), error);
    }
  }

  return {
    ...store,
    add: (inbox, message, kept, room) => store.add(inbox, close(inbox, message), kept, room),
    read: async (inbox, options) => (await store.read(inbox, options)).map((message) => open(inbox, message)),
    async get(inbox, id, kept) {
      const message = await store.get(inbox, id, kept);
      return message && open(inbox, message);
    },
  };
}

/** Names the place that a message is sealed for: moved to another place, it cannot be opened. */
const ownerOf = (inbox: string, { id }: Message): string => `${id} of ${inbox}`;
