import { countOver, type InboxStore, type Kept, type Message, sizeOf, sweptAfterMs } from "./inbox-store.ts";
import { createLedger } from "./ledger.ts";
import { createListeners } from "./listeners.ts";
import type { Runtime } from "../../runtime.ts";

interface Inbox {
  /** Oldest first. */
  messages: Message[];
  duplicates: number;
}

/** Inboxes that are lost when the process ends. */
export function createMemoryInbox({ runtime }: { runtime: Runtime }): InboxStore {
  const inboxes = new Map<string, Inbox>();
  const listeners = createListeners();
  const ledger = createLedger();

  /** Returns the inbox after dropping expired messages. */
  function current(id: string, kept: Kept): Inbox {
    const inbox = inboxes.get(id) ?? { messages: [], duplicates: 0 };
    const oldest = runtime.now() - kept.ms;
    const live = inbox.messages.filter(({ at }) => at >= oldest);
    inbox.messages = live.slice(countOver(live.map(knownSize), kept));
    if (inboxes.has(id)) ledger.set(id, bytesOf(inbox.messages));
    return inbox;
  }

  return {
    async add(id, message, kept, room) {
      const inbox = current(id, kept);
      const { event } = message;
      if (event !== undefined && inbox.messages.some((one) => one.event === event)) {
        inbox.duplicates += 1;
        return true;
      }
      const all = [...inbox.messages, message];
      const live = all.slice(countOver(all.map(knownSize), kept));
      if (room !== undefined) ledger.admit(id, bytesOf(live) - bytesOf(inbox.messages), room);
      // Copied: the caller may reuse its buffer.
      const own = { ...message, body: new Uint8Array(message.body) };
      inbox.messages = [...live.slice(0, -1), own];
      inboxes.set(id, inbox);
      ledger.set(id, bytesOf(inbox.messages));
      queueMicrotask(() => listeners.notify(id));
      return false;
    },
    async read(id, { after, type, limit, kept }) {
      const { messages } = current(id, kept);
      const from = messages.findIndex((one) => one.id === after) + 1;
      return messages
        .slice(from)
        .filter((one) => type === undefined || one.type === type)
        .slice(0, limit);
    },
    get: async (inbox, id, kept) => current(inbox, kept).messages.find((one) => one.id === id),
    async stats(inbox, kept) {
      const { messages, duplicates } = current(inbox, kept);
      const newest = messages.at(-1);
      const last = newest && { newestAt: newest.at, newestId: newest.id };
      return { messages: messages.length, duplicates, ...last };
    },
    async remove(inbox) {
      inboxes.delete(inbox);
      ledger.remove(inbox);
    },
    onMessage: listeners.add,
    async sweep(known, kept) {
      for (const [id, { messages }] of inboxes) {
        const newest = messages.at(-1)?.at ?? 0;
        if (known.includes(id)) current(id, kept);
        else if (newest < runtime.now() - sweptAfterMs) {
          inboxes.delete(id);
          ledger.remove(id);
        }
      }
    },
    async close() {
      inboxes.clear();
    },
  };
}

const bytesOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + knownSize(message), 0);

const sizes = new WeakMap<Message, number>();

function knownSize(message: Message): number {
  let size = sizes.get(message);
  if (size === undefined) sizes.set(message, (size = sizeOf(message)));
  return size;
}
