import { lazy } from "../../lib/lazy.ts";
import type { Pool } from "./pool.ts";

/** Returns a pool that is loaded and opened by its first call or by `start`, so that no start waits for it. */
export function createLazyPool(size: number, open: () => Promise<Pool>): Pool {
  let opened: Pool | undefined;
  let closed = false;

  const get = lazy(async () => (opened = await open()));

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
      await (await get.made())?.close(graceMs);
    },
  };
}
