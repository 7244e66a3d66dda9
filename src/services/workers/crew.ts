import type { Limits, ThreadEnd } from "./limits.ts";
import { createThread, type Thread } from "./thread.ts";

/** The threads of a pool: hired as they are needed, replaced when they end. */
export interface Crew {
  /** A thread that can take a call. */
  idle(): Thread | undefined;
  /** Starts as many threads as there is work for. */
  hire(): void;
  /**
   * From now on keeps one thread more than is busy, as far as the size allows: a spare takes the place of one
   * that was killed.
   */
  warm(): void;
  count(): { starting: number; idle: number; busy: number };
  /** How many threads work for the group, or were killed working for it and have not been replaced. */
  busyFor(group: string): number;
  close(): Promise<void>;
}

/** For the log and the metrics. */
export type PoolEvent =
  | { kind: "started"; durationMs: number }
  | { kind: "ended"; reason: ThreadEnd; error?: unknown }
  | { kind: "failed_to_start"; error: unknown; retryMs: number };

export interface CrewOptions extends Limits {
  source: string | URL;
  size: number;
  monotonic(): number;
  /** How many calls wait. */
  wanted(): number;
  /** A thread can take a call, or one has ended. */
  onFree(): void;
  /** There is no thread, and none could be started. */
  onHopeless(error: Error): void;
  onEvent(event: PoolEvent): void;
}

export function createCrew(options: CrewOptions): Crew {
  const { size, monotonic, wanted, onFree, onHopeless, onEvent } = options;
  const threads = new Set<Thread>();
  const leaving = new Set<Thread>();
  /**
   * Whose work cost a thread, until the next is ready. Otherwise who lost one would at once take the thread that is
   * kept for the others, and they would wait for a start.
   */
  const lost: string[] = [];
  let spares = 0;
  let closed = false;
  let failures = 0;
  let retryAt = -Infinity;
  let retryTimer: NodeJS.Timeout | undefined;

  function hire(): void {
    const needed = (): number => Math.min(size, count().busy + wanted() + lost.length + spares);
    // Threads on their way out still hold memory; counting them bounds it, however fast they are killed.
    while (!closed && threads.size < needed() && threads.size + leaving.size < 2 * size) {
      if (monotonic() < retryAt) return retryLater();
      try {
        add();
      } catch (error) {
        // The machine has no thread to give, or the source is none.
        failedToStart(error);
      }
    }
  }

  function retryLater(): void {
    retryTimer ??= setTimeout(() => {
      retryTimer = undefined;
      hire();
    }, retryAt - monotonic()).unref();
  }

  function add(): void {
    const started = monotonic();
    const thread: Thread = createThread({
      ...options,
      onReady() {
        failures = 0;
        lost.shift();
        onEvent({ kind: "started", durationMs: monotonic() - started });
        onFree();
      },
      onIdle: onFree,
      onEnd(reason, state, error) {
        threads.delete(thread);
        leaving.add(thread);
        if (state === "busy" && thread.group !== undefined) lost.push(thread.group);
        if (state === "starting" && reason !== "closed") failedToStart(error);
        else onEvent({ kind: "ended", reason, ...(error !== undefined && { error }) });
        onFree();
      },
      onGone() {
        leaving.delete(thread);
        hire();
      },
    });
    threads.add(thread);
  }

  /**
   * What fails to start will fail again: each time we wait twice as long, so that a bad build is no storm of
   * threads.
   */
  function failedToStart(error: unknown): void {
    const retryMs = Math.min(30_000, 100 * 2 ** failures++);
    retryAt = monotonic() + retryMs;
    onEvent({ kind: "failed_to_start", error, retryMs });
    if (threads.size === 0) onHopeless(new Error("No worker thread could be started", { cause: error }));
  }

  function count(): { starting: number; idle: number; busy: number } {
    const counts = { starting: 0, idle: 0, busy: 0 };
    for (const { state } of threads) if (state !== "ended") counts[state]++;
    return counts;
  }

  function busyFor(group: string): number {
    let busy = lost.filter((other) => other === group).length;
    for (const thread of threads) if (thread.state === "busy" && thread.group === group) busy++;
    return busy;
  }

  return {
    idle: () => threads.values().find(({ state }) => state === "idle"),
    hire,
    warm() {
      spares = 1;
      hire();
    },
    count,
    busyFor,
    async close() {
      closed = true;
      clearTimeout(retryTimer);
      const all = [...threads, ...leaving];
      await Promise.all(all.map((thread) => thread.end()));
    },
  };
}
