import { type InboxStore, type Kept, type Message, sweptAfterMs } from "./inbox-store.ts";
import { createListeners } from "./listeners.ts";

interface Inbox {
  /** The oldest first. */
  messages: Message[];
  duplicates: number;
}

/** Gone with the process. */
export function createMemoryInbox({ now }: { now: () => number }): InboxStore {
  const inboxes = new Map<string, Inbox>();
  const listeners = createListeners();

  /** The inbox without what it keeps no longer. */
  function current(id: string, kept: Kept): Inbox {
    const inbox = inboxes.get(id) ?? { messages: [], duplicates: 0 };
    const oldest = now() - kept.ms;
    if (inbox.messages.length > kept.messages || inbox.messages.some(({ at }) => at < oldest)) {
      inbox.messages = inbox.messages.filter(({ at }) => at >= oldest).slice(-kept.messages);
    }
    return inbox;
  }

  return {
    async add(id, message, kept) {
      const inbox = current(id, kept);
      const { event } = message;
      if (event !== undefined && inbox.messages.some((one) => one.event === event)) {
        inbox.duplicates += 1;
        return true;
      }
      // What was received owns its bytes: whoever gave them may use their buffer again.
      inbox.messages.push({ ...message, body: new Uint8Array(message.body) });
      if (inbox.messages.length > kept.messages) inbox.messages.shift();
      inboxes.set(id, inbox);
      queueMicrotask(() => listeners.tell(id));
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
    },
    onMessage: listeners.add,
    async sweep(known, kept) {
      for (const [id, { messages }] of inboxes) {
        const newest = messages.at(-1)?.at ?? 0;
        if (known.includes(id)) current(id, kept);
        else if (newest < now() - sweptAfterMs) inboxes.delete(id);
      }
    },
    async close() {
      inboxes.clear();
    },
  };
}
