import { Worker } from "node:worker_threads";
import { storeThreadScript, storeThreadSource } from "../../lib/load.ts";
import { StoreError } from "../errors.ts";
import { settle, type Waiting } from "./calls.ts";
import { type FromThread, fromSent, type Lane, type ToThread } from "./messages.ts";

/** The thread that has the databases of a server: see `thread.ts`. */
export interface ThreadLink {
  send(lane: Lane, calls: readonly Waiting[]): void;
  /** Reports that it has ended. */
  isGone(): boolean;
  /** Resolves when all calls are answered and the databases are closed. */
  close(): Promise<void>;
}

/** Starts the thread of the databases in a data folder. */
export function openThread(folder: string): ThreadLink {
  const source = storeThreadSource();
  return createThreadLink(
    new Worker(source, {
      eval: typeof source === "string",
      // No environment, which may contain secrets, and no flags of the main thread.
      env: {},
      execArgv: [],
      workerData: { script: storeThreadScript, folder },
    }),
  );
}

export function createThreadLink(worker: Worker): ThreadLink {
  /** The calls of each lane that are not answered yet, in their order. */
  const sent: Record<Lane, Waiting[]> = { records: [], history: [] };
  const all = Object.values(sent);
  let gone: unknown;
  const closed = Promise.withResolvers<void>();

  function fail(error: unknown): void {
    gone ??= error;
    for (const { reject } of all.flatMap((calls) => calls.splice(0))) reject(gone);
    closed.resolve();
  }

  function receive(message: FromThread): void {
    if (message.act === "failed") fail((fromSent(message.outcome) as { error: unknown }).error);
    if (message.act === "closed") closed.resolve();
    if (message.act !== "answer") return;
    const { lane, outcomes } = message;
    for (const [at, waiting] of sent[lane].splice(0, outcomes.length).entries())
      settle(waiting, fromSent(outcomes[at] as (typeof outcomes)[number]));
    if (all.every(({ length }) => length === 0)) worker.unref();
  }

  function post(message: ToThread): void {
    // The process must not end before a call is answered; an idle thread must not keep it.
    worker.ref();
    worker.postMessage(message, []);
  }

  worker.unref();
  worker.on("message", receive);
  worker.on("error", (error: Error) =>
    fail(new StoreError("write", `The thread of the store failed: ${error.message}`, error)),
  );
  worker.on("exit", () =>
    fail(new StoreError("write", "The thread of the store has ended. Repeat the call.")),
  );

  return {
    send(lane, calls) {
      if (gone !== undefined) for (const { reject } of calls) reject(gone);
      else {
        sent[lane].push(...calls);
        post({ act: "call", lane, calls: calls.map(({ call }) => call) });
      }
    },
    isGone: () => gone !== undefined,
    async close() {
      if (gone === undefined) post({ act: "close" });
      await closed.promise;
    },
  };
}
