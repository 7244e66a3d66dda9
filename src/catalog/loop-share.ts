/**
 * Shares the event loop among callers. Work that costs milliseconds asks for its turn first; once a turn of the loop has
 * lasted `budgetMs`, callers wait for a later one, in order, so that the loop handles its other events in between.
 */
export interface LoopShare {
  /**
   * Returns undefined while this turn has budget left and nobody waits; otherwise a promise that resolves in a later turn.
   * @param time The current time, if the caller has read it already.
   */
  take(time?: number): Promise<void> | undefined;
  /** Always resolves in a later turn. */
  next(): Promise<void>;
}

/** The most callers that continue in one turn. */
const batch = 64;

/** @param monotonic Milliseconds of a clock that never goes back. */
export function createLoopShare(monotonic: () => number, budgetMs: number): LoopShare {
  const waiting: (() => void)[] = [];
  // Index of the first waiting caller: shifting a long array costs time in proportion to its length.
  let first = 0;
  let startedAt = 0;
  let isOpen = false;

  /** Starts to measure the turn, which ends in the next iteration of the loop. */
  function open(time: number): void {
    isOpen = true;
    startedAt = time;
    setImmediate(close);
  }

  function close(): void {
    isOpen = false;
    if (first === waiting.length) return;
    open(monotonic());
    // One callback for each: Node runs promise continuations between callbacks, so their time counts.
    for (let count = Math.min(batch, waiting.length - first); count > 0; count--) setImmediate(release);
  }

  function release(): void {
    if (first === waiting.length || monotonic() - startedAt > budgetMs) return;
    const resolve = waiting[first++];
    if (first * 2 > waiting.length) {
      waiting.splice(0, first);
      first = 0;
    }
    resolve?.();
  }

  function next(): Promise<void> {
    if (!isOpen) open(monotonic());
    return new Promise((resolve) => waiting.push(resolve));
  }

  return {
    take(time = monotonic()) {
      if (!isOpen) open(time);
      else if (first < waiting.length || time - startedAt > budgetMs) return next();
      return undefined;
    },
    next,
  };
}
