import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "./errors.ts";
import { isServed } from "./folder-socket.ts";
import { type Lock, openLock, readOwner } from "./lock.ts";
import type { StoreNotice } from "./storage.ts";
import type { Runtime } from "../runtime.ts";

export interface LockWaitOptions {
  /** The longest wait for a command that holds the lock. */
  patienceMs: number;
  pid?: number | undefined;
  runtime: Runtime;
  onNotice: StoreNotice;
}

const pauseMs = 50;

/**
 * Waits for a lock that an administrative command holds; `refusal` is the error of the first attempt. A server that
 * holds the lock is recognized by its socket and not waited for. @throws StoreError `lock`.
 */
export async function waitForLock(
  folder: string,
  refusal: StoreError,
  { patienceMs, pid, runtime, onNotice }: LockWaitOptions,
): Promise<Lock> {
  const deadline = runtime.monotonic() + patienceMs;
  let last = refusal;
  if (await isServed(folder)) throw toSecondServer(folder, last);
  const seconds = Math.round(patienceMs / 1000);
  onNotice("info", `Waiting up to ${seconds} s for ${readOwner(folder)} to release ${folder}.`);
  while (runtime.monotonic() < deadline) {
    await sleep(pauseMs);
    try {
      return openLock(folder, { pid, now: runtime.now() }, 0);
    } catch (error) {
      if (!(error instanceof StoreError) || error.operation !== "lock") throw error;
      last = error;
    }
    if (await isServed(folder)) throw toSecondServer(folder, last);
  }
  throw last;
}

const toSecondServer = (folder: string, cause: StoreError): StoreError =>
  new StoreError(
    "lock",
    `${folder} is in use by a server: ${readOwner(folder)}. One server uses a folder at a time: stop that one, choose another folder with storage.path, or run several servers on Redis (storage.driver redis).`,
    cause,
  );
