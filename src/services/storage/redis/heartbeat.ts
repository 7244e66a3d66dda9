import type { StoreError } from "../errors.ts";

/** Looks after the store when nobody asks for anything: what went wrong is known before a request meets it. */
export interface Heartbeat {
  /** What is wrong, as last seen. */
  readonly fault: StoreError | undefined;
  /** Looks now. */
  beat(): Promise<void>;
  close(): void;
}

const everyMs = 1000;

/** @param work Reads and writes a little. @throws StoreError. */
export function createHeartbeat(options: {
  work(): Promise<void>;
  /** Told of each beat that failed, and with undefined of the first that did not. */
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
