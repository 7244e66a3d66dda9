import type { Runtime } from "../../runtime.ts";
import { type InboxStore, type Kept, type Message, sizeOf, sweptAfterMs } from "./inbox-store.ts";
import { createLedger } from "./ledger.ts";
import { createListeners } from "./listeners.ts";
import { createMessageIndex, type Indexed, type MessageIndex } from "./message-index.ts";

interface Item extends Indexed {
  message: Message;
}

interface Inbox {
  index: MessageIndex<Item>;
  duplicates: number;
}

/** Inboxes that are lost when the process ends. */
export function createMemoryInbox({ runtime }: { runtime: Runtime }): InboxStore {
  const inboxes = new Map<string, Inbox>();
  const listeners = createListeners();
  const ledger = createLedger();

  /** Returns the inbox after dropping expired messages. */
  function current(id: string, kept: Kept): Inbox {
    const inbox = inboxes.get(id);
    if (inbox === undefined) return { index: createMessageIndex(runtime.now), duplicates: 0 };
    inbox.index.trim(kept);
    ledger.set(id, inbox.index.bytes);
    return inbox;
  }

  function remove(id: string): void {
    inboxes.delete(id);
    ledger.remove(id);
  }

  return {
    async add(id, message, kept, room) {
      const inbox = current(id, kept);
      const { index } = inbox;
      const { at, event, type } = message;
      if (event !== undefined && index.has(event)) {
        inbox.duplicates += 1;
        return true;
      }
      const length = sizeOf(message);
      if (room !== undefined) ledger.admit(id, index.growthOf(length, kept), room);
      // Copied: the caller may reuse its buffer.
      const own = { ...message, body: new Uint8Array(message.body) };
      index.add({ id: message.id, at, event, type, length, message: own });
      inboxes.set(id, inbox);
      current(id, kept);
      queueMicrotask(() => listeners.notify(id));
      return false;
    },
    read: async (id, { kept, ...options }) =>
      current(id, kept)
        .index.select(options)
        .map(({ message }) => message),
    get: async (inbox, id, kept) => current(inbox, kept).index.items.find((one) => one.id === id)?.message,
    async stats(inbox, kept) {
      const { index, duplicates } = current(inbox, kept);
      return { ...index.stats(), duplicates };
    },
    remove: async (inbox) => remove(inbox),
    onMessage: listeners.add,
    async sweep(isKnown, kept) {
      for (const [id, { index }] of inboxes) {
        const { newestAt = 0 } = index.stats();
        if (await isKnown(id)) current(id, kept);
        else if (newestAt < runtime.now() - sweptAfterMs) remove(id);
      }
    },
    async close() {
      inboxes.clear();
    },
  };
}
