import type { Store } from "../storage/storage.ts";
import { createInboxes, type Inboxes } from "./inboxes.ts";
import { createReader, type Reader } from "./read.ts";
import { createReceiver, type Receiver, type ReceiverDeps } from "./receive.ts";

/** Inboxes, what is sent to them and what they have received. */
export interface InboxService {
  inboxes: Inboxes;
  receiver: Receiver;
  reader: Reader;
}

export interface InboxServiceDeps extends ReceiverDeps {
  store: Pick<Store, "accounts" | "inboxes" | "inbox">;
}

export const createInboxService = (deps: InboxServiceDeps): InboxService => ({
  inboxes: createInboxes(deps),
  receiver: createReceiver(deps),
  reader: createReader(deps),
});
