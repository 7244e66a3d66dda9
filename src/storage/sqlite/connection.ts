import { storeClosed } from "../errors.ts";
import { type Answer, type Call, performAll, settle, type Waiting } from "./calls.ts";
import type { Database } from "./database.ts";
import type { ThreadLink } from "./thread-link.ts";

/** Performs calls on a database, here or on a thread of its own. */
export interface Connection {
  /** Calls of one turn of the event loop share a transaction. Rejects with a StoreError or an error of the file system. */
  call(call: Call): Promise<Answer>;
  /** Moves the database to its thread, if it has one; until then, calls that only read are performed here. */
  move(): void;
  /** Resolves when all calls are done and the database is closed. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  database: Database;
  /** Starts the thread that opens the database again; without it, everything is performed by this thread. */
  openThread?: (() => Promise<ThreadLink>) | undefined;
}

const readsOnly: ReadonlySet<Call["act"]> = new Set(["read", "entries", "count"]);

/**
 * A database is opened by this thread, because a start reads it sooner than a thread starts. It moves to its thread before the first
 * write, or when `move` is called.
 */
export function createConnection({ database, openThread }: ConnectionOptions): Connection {
  let waiting: Waiting[] = [];
  let thread: Promise<ThreadLink> | undefined;
  let isGone = (): boolean => true;
  let isHere = true;
  let closing: Promise<void> | undefined;

  /** Performs what has gathered in a turn of the event loop. */
  function flush(): void {
    const some = waiting;
    waiting = [];
    if (isHere && (openThread === undefined || some.every(({ call }) => readsOnly.has(call.act))))
      return performHere(some);
    move();
    void thread?.then(
      (link) => link.send(some),
      (error: unknown) => some.forEach(({ reject }) => reject(error)),
    );
  }

  function performHere(some: readonly Waiting[]): void {
    let at = 0;
    for (const outcomes of performAll(
      database,
      some.map(({ call }) => call),
    ))
      for (const outcome of outcomes) settle(some[at++] as Waiting, outcome);
  }

  function move(): void {
    if (openThread === undefined || closing !== undefined) return;
    if (isHere) database.close();
    isHere = false;
    // After a crash of the thread the next call starts another one.
    if (!isGone()) return;
    isGone = () => false;
    thread = openThread();
    thread.then(
      (link) => (isGone = link.isGone),
      () => (isGone = () => true),
    );
  }

  async function close(): Promise<void> {
    if (waiting.length > 0) flush();
    if (isHere) database.close();
    else await (await thread?.catch(() => undefined))?.close();
  }

  return {
    call: (call) =>
      new Promise((resolve, reject) => {
        if (closing !== undefined) return reject(storeClosed("write"));
        if (waiting.push({ call, resolve, reject }) === 1) setImmediate(flush);
      }),
    move,
    close: () => (closing ??= close()),
  };
}
