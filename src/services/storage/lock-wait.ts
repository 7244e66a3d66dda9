import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "./errors.ts";
import { type Lock, openLock, readOwner } from "./lock.ts";
import type { StoreNotice } from "./storage.ts";

export interface LockWaitOptions {
  /** How long to wait for a command that holds the lock. */
  patienceMs: number;
  pid?: number | undefined;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  onNotice: StoreNotice;
}

const pauseMs = 50;

/**
 * Takes the lock of a folder, and waits for it while an administrative command holds it. A server that holds it is
 * recognized by its socket and is not waited for. @throws StoreError `lock`.
 */
export async function waitForLock(folder: string, options: LockWaitOptions): Promise<Lock> {
  const { patienceMs, pid, now, monotonic, onNotice } = options;
  const deadline = monotonic() + patienceMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return openLock(folder, { pid, now: now() }, attempt === 0 ? undefined : 0);
    } catch (error) {
      if (!(error instanceof StoreError) || error.operation !== "lock") throw error;
      if (await isServed(folder)) throw toSecondServer(folder, error);
      if (monotonic() > deadline) throw error;
      if (attempt === 0) {
        const seconds = Math.round(patienceMs / 1000);
        onNotice("info", `Waiting up to ${seconds} s for ${readOwner(folder)} to release ${folder}.`);
      }
      await sleep(pauseMs);
    }
  }
}

async function isServed(folder: string): Promise<boolean> {
  const { connectAdmin } = await import("../admin-client.ts");
  const client = await connectAdmin(join(folder, "penknife.sock")).catch(() => undefined);
  client?.close();
  return client !== undefined;
}

const toSecondServer = (folder: string, cause: StoreError): StoreError =>
  new StoreError(
    "lock",
    `${folder} is in use by a server: ${readOwner(folder)}. One server uses a folder at a time: stop that one, choose another folder with storage.path, or run several servers on Redis (storage.driver redis).`,
    cause,
  );
