import type { Seal } from "../seal.ts";
import type { StoreError } from "../storage/errors.ts";
import type { Kept } from "../storage/inbox/inbox-store.ts";
import type { Store } from "../storage/storage.ts";
import { createInboxes, type Inboxes } from "./inboxes.ts";
import { createReader, type Reader } from "./read.ts";
import { createReceiver, type Receiver } from "./receive.ts";

/** Inboxes, what is sent to them and what they have received. */
export interface InboxService {
  inboxes: Inboxes;
  receiver: Receiver;
  reader: Reader;
}

export interface InboxServiceDeps {
  store: Pick<Store, "accounts" | "inboxes" | "inbox">;
  seal: Seal;
  kept: Kept;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  random(size: number): Uint8Array;
  /** Told of faults of the store, of which a caller only learns that it does not answer. */
  onError(error: StoreError): void;
  /** Messages a minute that one inbox takes, on this node; 600 unless given. */
  perMinute?: number;
}

export const createInboxService = (deps: InboxServiceDeps): InboxService => ({
  inboxes: createInboxes(deps),
  receiver: createReceiver(deps),
  reader: createReader(deps),
});
