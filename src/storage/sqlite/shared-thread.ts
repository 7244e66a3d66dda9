import type { Waiting } from "./calls.ts";
import type { Lane } from "./messages.ts";
import type { ThreadLink } from "./thread-link.ts";

/** The one thread of a store's databases, which is started when it is needed. */
export interface SharedThread {
  start(): void;
  /** Starts the thread if there is none, or if it has crashed. */
  send(lane: Lane, calls: readonly Waiting[]): void;
  /** Resolves when all calls are answered and the databases are closed. */
  close(): Promise<void>;
}

export function createSharedThread(open: () => Promise<ThreadLink>): SharedThread {
  let link: Promise<ThreadLink> | undefined;
  let isGone = (): boolean => true;

  function start(): Promise<ThreadLink> {
    if (link !== undefined && !isGone()) return link;
    isGone = () => false;
    link = open();
    link.then(
      (opened) => (isGone = opened.isGone),
      () => (isGone = () => true),
    );
    return link;
  }

  return {
    start: () => void start(),
    send(lane, calls) {
      start().then(
        (opened) => opened.send(lane, calls),
        (error: unknown) => calls.forEach(({ reject }) => reject(error)),
      );
    },
    close: async () => (await link?.catch(() => undefined))?.close(),
  };
}
