import type { InboxLog } from "./inbox-log.ts";

/** The inboxes that are open, so that the same one is not opened twice, and not too many stay open. */
export interface OpenInboxes {
  has(inbox: string): boolean;
  /** Calls `work` with an open inbox; `isCurrent` reports whether it has not been removed meanwhile. */
  using<Result>(
    inbox: string,
    work: (log: InboxLog, isCurrent: () => boolean) => Result | Promise<Result>,
  ): Promise<Result>;
  /** Closes an inbox and calls `remove`; the inbox is not opened before that is done. */
  remove(inbox: string, remove: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** An open inbox and the number of calls using it. */
interface Open {
  log: Promise<InboxLog>;
  uses: number;
}

/** @param maxOpen Most inboxes kept open; those in use are not counted. */
export function createOpenInboxes(
  openLog: (inbox: string) => Promise<InboxLog>,
  maxOpen: number,
): OpenInboxes {
  /** Ordered by last use, oldest first. */
  const inboxes = new Map<string, Open>();
  /** Inboxes that are being closed or removed. */
  const closing = new Map<string, Promise<void>>();

  function take(inbox: string): Open {
    let found = inboxes.get(inbox);
    if (found === undefined) {
      found = { log: openAfterClosing(inbox), uses: 0 };
      const mine = found;
      // The next call tries again.
      found.log.catch(() => inboxes.get(inbox) === mine && inboxes.delete(inbox));
    }
    inboxes.delete(inbox);
    inboxes.set(inbox, found);
    found.uses += 1;
    return found;
  }

  async function openAfterClosing(inbox: string): Promise<InboxLog> {
    await closing.get(inbox);
    return openLog(inbox);
  }

  function closeIdle(): void {
    let extra = inboxes.size - maxOpen;
    for (const [inbox, { log, uses }] of inboxes) {
      if (extra <= 0) return;
      if (uses > 0) continue;
      extra -= 1;
      inboxes.delete(inbox);
      // A call that opens the inbox again waits until pending lines are written.
      void hold(
        inbox,
        log.then((one) => one.close()).catch(() => {}),
      );
    }
  }

  /** Prevents the inbox from being opened until `until` settles. */
  function hold(inbox: string, until: Promise<void>): Promise<void> {
    const done = until.finally(() => {
      if (closing.get(inbox) === mine) closing.delete(inbox);
    });
    const mine = done.catch(() => {});
    closing.set(inbox, mine);
    return done;
  }

  return {
    has: (inbox) => inboxes.has(inbox),
    async using(inbox, work) {
      const open = take(inbox);
      try {
        return await work(await open.log, () => inboxes.get(inbox) === open);
      } finally {
        open.uses -= 1;
        closeIdle();
      }
    },
    async remove(inbox, remove) {
      const found = inboxes.get(inbox);
      inboxes.delete(inbox);
      const before = closing.get(inbox);
      await hold(
        inbox,
        (async () => {
          await before;
          await found?.log.then((log) => log.close()).catch(() => {});
          await remove();
        })(),
      );
    },
    async close() {
      await Promise.allSettled(Array.from(inboxes.values(), async ({ log }) => (await log).close()));
      await Promise.allSettled(closing.values());
      inboxes.clear();
    },
  };
}
