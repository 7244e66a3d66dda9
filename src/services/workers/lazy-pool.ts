import type { Pool } from "./pool.ts";

/** A pool that is evaluated and opened by its first call, or by `start`: no answer of a start waits for it. */
export function createLazyPool(size: number, open: () => Promise<Pool>): Pool {
  let opening: Promise<Pool> | undefined;
  let opened: Pool | undefined;
  let closed = false;

  const get = (): Promise<Pool> => (opening ??= take());

  async function take(): Promise<Pool> {
    opened = await open();
    return opened;
  }

  async function start(): Promise<void> {
    const pool = await get();
    if (!closed) pool.start();
  }

  const none = { starting: 0, idle: 0, busy: 0 };
  return {
    run: async (...args) => (opened ?? (await get())).run(...args),
    stats: () => opened?.stats() ?? { size, threads: none, processes: none, queued: 0, queuedBytes: 0 },
    start: () => void start(),
    async close(graceMs) {
      closed = true;
      await (await opening)?.close(graceMs);
    },
  };
}
