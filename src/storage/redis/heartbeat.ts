import type { StoreError } from "../errors.ts";

/** Checks the store at intervals, so that a fault is known before a request meets it. */
export interface Heartbeat {
  /** The fault found by the last check; undefined if there is none. */
  readonly fault: StoreError | undefined;
  /** Checks the store now. */
  beat(): Promise<void>;
  close(): void;
}

const everyMs = 1000;

/** @param work Reads and writes a little. @throws StoreError */
export function createHeartbeat(options: {
  work(): Promise<void>;
  /** Called after each check that failed, and with undefined after the first that succeeded again. */
  onBeat(fault: StoreError | undefined): void;
}): Heartbeat {
  const { work, onBeat } = options;
  let fault: StoreError | undefined;
  let busy = false;
  const timer = setInterval(() => void beat(), everyMs).unref();

  async function beat(): Promise<void> {
    if (busy) return;
    busy = true;
    const before = fault;
    try {
      await work();
      fault = undefined;
    } catch (error) {
      fault = error as StoreError;
    }
    busy = false;
    if (fault !== undefined || before !== undefined) onBeat(fault);
  }

  return {
    get fault() {
      return fault;
    },
    beat,
    close: () => clearInterval(timer),
  };
}
