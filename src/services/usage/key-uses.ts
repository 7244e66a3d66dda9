import { type KeyUseStore, minuteMs } from "../../storage/key-uses.ts";
import { type StoreError, toStoreError } from "../../storage/errors.ts";
import type { Runtime } from "../../runtime.ts";

/** Notes which keys are used, and writes that once a minute. A kill -9 loses at most a minute of it. */
export interface KeyUseRecorder {
  /** Notes that a key is used now; writes nothing. */
  note(id: string): void;
  /** Writes what was noted. Failures go to `onError`; the next flush repeats them. */
  flush(): Promise<void>;
  /** Flushes and stops the timer. */
  close(): Promise<void>;
}

/** Keys kept while the store does not answer; further ones are not noted. */
const capacity = 100_000;

export function createKeyUseRecorder(options: {
  /** Called by the first flush. */
  open(): Promise<KeyUseStore>;
  runtime: Runtime;
  onError(error: StoreError): void;
}): KeyUseRecorder {
  const { open, runtime, onError } = options;
  let waiting = new Map<string, number>();
  // Keys of the newest minute that were written, so that each is written once a minute at most.
  let written = new Set<string>();
  let writtenMinute = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = waiting;
    waiting = new Map();
    try {
      await (await open()).put(uses);
      remember(uses);
    } catch (error) {
      // Uses that were noted in the meantime are newer.
      waiting = new Map([...uses, ...waiting]);
      onError(toStoreError("write", "The times of the last use", error));
    }
    if (waiting.size > 0) arm();
  }

  function remember(uses: ReadonlyMap<string, number>): void {
    for (const [id, minute] of uses) {
      if (minute > writtenMinute) {
        writtenMinute = minute;
        written = new Set();
      }
      if (minute === writtenMinute) written.add(id);
    }
  }

  function arm(): void {
    timer ??= setTimeout(() => void flush(), minuteMs).unref();
  }

  async function flush(): Promise<void> {
    // What was noted during a flush is written after it.
    while (flushing !== undefined) await flushing;
    if (waiting.size === 0) return;
    flushing = write().finally(() => (flushing = undefined));
    await flushing;
  }

  return {
    note(id) {
      const minute = Math.floor(runtime.now() / minuteMs) * minuteMs;
      if (minute === writtenMinute && written.has(id)) return;
      if (waiting.size >= capacity && !waiting.has(id)) return;
      waiting.set(id, minute);
      arm();
    },
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}
