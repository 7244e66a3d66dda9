import type { DeliveryQueue } from "../../storage/deliveries/delivery-queue.ts";
import type { Wait } from "./alarm.ts";
import { lifetimeMs, outlived } from "./outcome.ts";

/** Once a minute, fails deliveries that have waited too long and removes those that ended long ago. */
export interface Pruning {
  /** Waits for the current step. */
  stop(): Promise<void>;
}

export interface PruningOptions {
  queue: Pick<DeliveryQueue, "prune">;
  wait: Wait;
  /** Milliseconds for which ended deliveries are kept. */
  keptMs: number;
  onError(error: unknown): void;
}

const everyMs = 60_000;
/** Pause between two steps while more remains, so that others can use the store. */
const breathMs = 100;

export function startPruning({ queue, wait, keptMs, onError }: PruningOptions): Pruning {
  let step: Promise<void> | undefined;
  let stopped = false;
  let cancel = wait(breathMs, next);

  function next(): void {
    step = prune();
  }

  async function prune(): Promise<void> {
    const done = await queue.prune({ lifetimeMs, keptMs, reason: outlived }).catch((error: unknown) => {
      onError(error);
      return true;
    });
    if (!stopped) cancel = wait(done ? everyMs : breathMs, next);
  }

  return {
    async stop() {
      stopped = true;
      cancel();
      await step;
    },
  };
}
