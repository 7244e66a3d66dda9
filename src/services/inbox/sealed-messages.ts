import { type Seal, SealError } from "../../storage/seal.ts";
import { StoreError } from "../../storage/errors.ts";
import type { InboxStore, Message } from "../../storage/inbox/inbox-store.ts";

/** Name of the header that marks a sealed message; no request can have a header of this name. */
const marker = ":sealed";
const lineFeed = 0x0a;

type Hidden = Pick<Message, "query" | "headers">;

/**
 * Encrypts query, headers and body of stored messages if there is a key: each may contain the sender's credentials, and
 * GitLab's token is the secret of the inbox itself. Messages stored before in clear are still read.
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

/** Associated data of a sealed message: it cannot be opened in another place. */
const ownerOf = (inbox: string, { id }: Message): string => `${id} of ${inbox}`;
