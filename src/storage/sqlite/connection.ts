import { storeClosed } from "../errors.ts";
import { type Answer, performAll, settle, type Target, type Waiting } from "./calls.ts";
import type { Lane } from "./messages.ts";
import type { SharedThread } from "./shared-thread.ts";

/** Performs calls on a database, here or on the thread of the store. */
export interface Connection<C> {
  /** Calls of one turn of the event loop share a transaction. Rejects with a StoreError or an error of the file system. */
  call(call: C): Promise<Answer>;
  /** Moves the database to the thread, if there is one; until then, calls that only read are performed here. */
  move(): void;
  /** Resolves when all calls are answered. A database of this thread is closed then; those of the thread are closed with it. */
  close(): Promise<void>;
}

export interface ConnectionOptions<C> {
  lane: Lane;
  /** The database, opened by this thread; without it, the thread opens it. */
  database?: Target<C>;
  /** Without it, everything is performed by this thread. */
  thread?: SharedThread | undefined;
}

/**
 * A start opens and reads a database sooner than a thread starts. It moves to the thread before the first write, or when `move`
 * is called.
 */
export function createConnection<C>({ lane, database, thread }: ConnectionOptions<C>): Connection<C> {
  let here = database;
  let waiting: Waiting<C>[] = [];
  let closing: Promise<void> | undefined;
  /** Calls that are not answered, and who waits for them. */
  let unanswered = 0;
  let onIdle: (() => void) | undefined;

  /** Performs what has gathered in a turn of the event loop. */
  function flush(): void {
    const some = waiting;
    waiting = [];
    const target = here;
    if (target !== undefined && (thread === undefined || !some.some(({ call }) => target.isWrite(call))))
      return performHere(target, some);
    leave();
    thread?.send(lane, some as Waiting[]);
  }

  function performHere(target: Target<C>, some: readonly Waiting<C>[]): void {
    let at = 0;
    for (const outcomes of performAll(
      target,
      some.map(({ call }) => call),
    ))
      for (const outcome of outcomes) settle(some[at++] as Waiting<C>, outcome);
  }

  function leave(): void {
    here?.close();
    here = undefined;
  }

  async function close(): Promise<void> {
    if (waiting.length > 0) flush();
    if (unanswered > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    leave();
  }

  function answered(): void {
    unanswered -= 1;
    if (unanswered === 0) onIdle?.();
  }

  return {
    call: (call) =>
      new Promise((resolve, reject) => {
        if (closing !== undefined) return reject(storeClosed("write"));
        unanswered += 1;
        const waiter: Waiting<C> = {
          call,
          resolve(answer) {
            answered();
            resolve(answer);
          },
          reject(error) {
            answered();
            reject(error);
          },
        };
        if (waiting.push(waiter) === 1) setImmediate(flush);
      }),
    move() {
      if (thread === undefined || closing !== undefined) return;
      leave();
      thread.start();
    },
    close: () => (closing ??= close()),
  };
}
