import type { DeliveryQueue } from "../storage/deliveries/delivery-queue.ts";
import type { Wait } from "./alarm.ts";
import { lifetimeMs, outlived } from "./outcome.ts";

/** Ends what has waited for too long and forgets what ended long ago, once a minute. */
export interface Pruning {
  /** After the step that runs. */
  stop(): Promise<void>;
}

export interface PruningOptions {
  queue: Pick<DeliveryQueue, "prune">;
  wait: Wait;
  /** Milliseconds that what has ended is kept. */
  keptMs: number;
  onError(error: unknown): void;
}

const everyMs = 60_000;
/** Between two steps while there is more to do: others want the store too. */
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
