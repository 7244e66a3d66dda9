import type { Store } from "../../storage/storage.ts";
import { createInboxes, type Inboxes } from "./inboxes.ts";
import { createReader, type Reader } from "./read.ts";
import { sealMessages } from "./sealed-messages.ts";
import { createReceiver, type Receiver, type ReceiverDeps } from "./receive.ts";

/** Manages inboxes, receives messages and reads them. */
export interface InboxService {
  inboxes: Inboxes;
  receiver: Receiver;
  reader: Reader;
}

export interface InboxServiceDeps extends ReceiverDeps {
  store: Pick<Store, "accounts" | "inboxes" | "inbox" | "hold">;
}

export function createInboxService({ store: kept, ...rest }: InboxServiceDeps): InboxService {
  const store = { ...kept, inbox: async () => sealMessages(await kept.inbox(), rest.seal) };
  const deps = { ...rest, store };
  return { inboxes: createInboxes(deps), receiver: createReceiver(deps), reader: createReader(deps) };
}
