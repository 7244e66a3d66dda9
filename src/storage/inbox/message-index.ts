import type { InboxStats, Kept, ReadOptions } from "./inbox-store.ts";

/** The fields by which an inbox finds a message, and `length`, its size in bytes. */
export interface Indexed {
  readonly id: string;
  readonly at: number;
  readonly event: string | undefined;
  readonly type: string | undefined;
  readonly length: number;
}

/** The messages that an inbox keeps, in the order in which they were added. */
export interface MessageIndex<Item extends Indexed> {
  /** Bytes of all messages. */
  readonly bytes: number;
  readonly items: readonly Item[];
  /** Reports whether a message of this event is kept. */
  has(event: string): boolean;
  add(item: Item): void;
  /** Drops expired messages, and the oldest beyond the limits. Returns them. */
  trim(kept: Kept): readonly Item[];
  /** Returns the growth in bytes after adding a message of this size and removing the oldest ones to make room. */
  growthOf(length: number, kept: Kept): number;
  /** Returns messages that come after `after`: see `InboxStore.read`. */
  select(options: Pick<ReadOptions, "after" | "type" | "limit">): Item[];
  stats(): Omit<InboxStats, "duplicates">;
}

/**
 * Sums are kept as they change, so that a message costs the same however many are kept.
 *
 * @param found Messages of an earlier process. Of two with the same event the later is kept: a message whose
 * acknowledgement failed with the disk may have been received again.
 */
export function createMessageIndex<Item extends Indexed>(
  now: () => number,
  found: readonly Item[] = [],
): MessageIndex<Item> {
  const events = new Map<string, Item>();
  for (const item of found) if (item.event !== undefined) events.set(item.event, item);
  let items = found.filter((item) => item.event === undefined || events.get(item.event) === item);
  /** The number of `items` that were dropped: removing each from a long list would move all that follow. */
  let head = 0;
  let bytes = items.reduce((sum, { length }) => sum + length, 0);
  /** No message is older than this. */
  let oldestAt = oldestOf(items);

  const kept = (): Item[] => (head === 0 ? items : items.slice(head));

  /** Returns the oldest ones, which are dropped. */
  function dropFirst(count: number): Item[] {
    const old = items.slice(head, head + count);
    head += count;
    if (head >= maxDropped) {
      items = kept();
      head = 0;
    }
    return old;
  }

  /** Returns how many of the oldest are beyond the limits, and their bytes, if a message of this size follows. */
  function beyond({ messages, bytes: most }: Kept, following = 0): { count: number; sum: number } {
    const others = following > 0 ? 1 : 0;
    // The newest is kept in any case.
    const size = items.length - head;
    const last = size - 1 + others;
    let count = 0;
    let sum = 0;
    for (; count < size; count++) {
      const isOver = size + others - count > messages || bytes + following - sum > most;
      if (!isOver || count >= last) break;
      sum += (items[head + count] as Item).length;
    }
    return { count, sum };
  }

  function forget(item: Item): void {
    bytes -= item.length;
    if (item.event !== undefined && events.get(item.event) === item) events.delete(item.event);
  }

  return {
    get bytes() {
      return bytes;
    },
    get items() {
      return kept();
    },
    has: (event) => events.has(event),
    add(item) {
      items.push(item);
      bytes += item.length;
      oldestAt = Math.min(oldestAt, item.at);
      if (item.event !== undefined) events.set(item.event, item);
    },
    trim(limits) {
      let dropped: Item[] = [];
      const oldest = now() - limits.ms;
      if (oldestAt < oldest) {
        const all = kept();
        dropped = all.filter(({ at }) => at < oldest);
        items = all.filter(({ at }) => at >= oldest);
        head = 0;
        oldestAt = oldestOf(items);
        for (const item of dropped) forget(item);
      }
      const { count } = beyond(limits);
      if (count === 0) return dropped;
      const old = dropFirst(count);
      for (const item of old) forget(item);
      return [...dropped, ...old];
    },
    growthOf: (length, limits) => length - beyond(limits, length).sum,
    select({ after, type, limit }) {
      const all = kept();
      const from = all.findIndex(({ id }) => id === after) + 1;
      return all
        .slice(from)
        .filter((item) => type === undefined || item.type === type)
        .slice(0, limit);
    },
    stats() {
      const newest = items.length > head ? items.at(-1) : undefined;
      return { messages: items.length - head, ...(newest && { newestAt: newest.at, newestId: newest.id }) };
    },
  };
}

/** Most dropped messages that stay in the list. */
const maxDropped = 1_024;

const oldestOf = (items: readonly Indexed[]): number =>
  items.reduce((oldest, { at }) => Math.min(oldest, at), Infinity);
