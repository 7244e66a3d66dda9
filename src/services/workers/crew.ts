import type { Isolation } from "../../catalog/tool.ts";
import type { OpenLink } from "./link.ts";
import type { Limits, WorkerEnd } from "./limits.ts";
import type { Job } from "./queue.ts";
import type { Rounds } from "./rounds.ts";
import { createWorker, type Worker } from "./worker.ts";
import type { Runtime } from "../../runtime.ts";

/** The threads or processes of a pool: started as needed, replaced when they end. */
export interface Crew {
  /** A worker that can take a call. */
  idle(): Worker | undefined;
  /** The busy workers that can take the call that they run next. */
  ahead(): Iterable<Worker>;
  /** Starts as many workers as there is work for. */
  start(): void;
  /**
   * From now on keeps one worker more than is busy, as far as the size allows, so that a spare replaces one that was
   * killed.
   */
  warm(): void;
  count(): { starting: number; idle: number; busy: number };
  /** Workers that are busy, or are ending and still hold memory. */
  occupied(): number;
  /** Returns how many workers run calls of the group, or were killed running one and are not replaced yet. */
  busyFor(group: string): number;
  close(): Promise<void>;
}

/** Called for the log and the metrics. */
export type PoolEvent = { place: Isolation } & CrewEvent;

export type CrewEvent =
  | { kind: "started"; durationMs: number }
  | { kind: "ended"; reason: WorkerEnd; error?: unknown }
  | { kind: "failed_to_start"; error: unknown; retryMs: number };

export interface CrewOptions extends Limits {
  open: OpenLink;
  size: number;
  /** Milliseconds after which an idle worker that is not the spare is ended; a minute unless given. */
  idleMs?: number;
  runtime: Runtime;
  rounds: Rounds;
  /** Returns how many calls wait. */
  wanted(): number;
  /** See `WorkerOptions`. */
  onBegin(job: Job): boolean;
  /** Called when a worker can take a call, or one has ended. */
  onFree(): void;
  /** Called when there is no worker and none could be started. */
  onHopeless(): void;
  onEvent(event: CrewEvent): void;
}

export function createCrew(options: CrewOptions): Crew {
  const { size, idleMs = 60_000, runtime, wanted, onFree, onHopeless, onEvent } = options;
  const workers = new Set<Worker>();
  /** When each worker last became idle. */
  const idleSince = new WeakMap<Worker, number>();
  const leaving = new Set<Worker>();
  /**
   * Groups whose calls have cost a worker, until the next one is ready. Otherwise such a group would at once take the
   * worker that is kept for the others.
   */
  const lost: string[] = [];
  let spares = 0;
  let closed = false;
  let failures = 0;
  let retryAt = -Infinity;
  let retryTimer: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function start(): void {
    const needed = (): number => Math.min(size, count().busy + wanted() + lost.length + spares);
    // Workers that are ending still hold memory; counting them bounds it, however fast they are killed.
    while (!closed && workers.size < needed() && workers.size + leaving.size < 2 * size) {
      if (runtime.monotonic() < retryAt) return retryLater();
      try {
        add();
      } catch (error) {
        // The machine has no room for a worker, or its source is not code.
        failedToStart(error);
      }
    }
  }

  function retryLater(): void {
    retryTimer ??= setTimeout(() => {
      retryTimer = undefined;
      start();
    }, retryAt - runtime.monotonic()).unref();
  }

  function add(): void {
    const started = runtime.monotonic();
    const worker: Worker = createWorker({
      ...options,
      onReady() {
        failures = 0;
        lost.shift();
        onEvent({ kind: "started", durationMs: runtime.monotonic() - started });
        rest();
      },
      onIdle: rest,
      onEnd(reason, state, error) {
        workers.delete(worker);
        leaving.add(worker);
        if (state === "busy" && worker.group !== undefined) lost.push(worker.group);
        if (state === "starting" && reason !== "closed") failedToStart(error);
        else onEvent({ kind: "ended", reason, ...(error !== undefined && { error }) });
        onFree();
      },
      onGone() {
        leaving.delete(worker);
        onFree();
      },
    });
    workers.add(worker);

    function rest(): void {
      idleSince.set(worker, runtime.monotonic());
      onFree();
      dismissLater();
    }
  }

  const tooManyIdle = (): boolean => count().idle > spares;

  /** Ends workers that have been idle for long, but for the spare: a burst of calls must not hold memory for ever. */
  function dismissLater(): void {
    if (closed || !tooManyIdle()) return;
    idleTimer ??= setTimeout(() => {
      idleTimer = undefined;
      const now = runtime.monotonic();
      // The newest first: `idle` gives calls to the oldest, which has its code compiled.
      for (const worker of [...workers].toReversed()) {
        const isLong = worker.state === "idle" && now - (idleSince.get(worker) ?? now) >= idleMs;
        if (isLong && tooManyIdle()) void worker.end();
      }
      dismissLater();
    }, idleMs).unref();
  }

  /** Doubles the pause after each failed start, so that a broken build does not start workers in a loop. */
  function failedToStart(error: unknown): void {
    const retryMs = Math.min(30_000, 100 * 2 ** failures++);
    retryAt = runtime.monotonic() + retryMs;
    // Calls must not wait for a replacement that does not come.
    lost.length = 0;
    onEvent({ kind: "failed_to_start", error, retryMs });
    if (workers.size === 0) onHopeless();
  }

  function count(): { starting: number; idle: number; busy: number } {
    const counts = { starting: 0, idle: 0, busy: 0 };
    for (const { state } of workers) if (state !== "ended") counts[state]++;
    return counts;
  }

  function busyFor(group: string): number {
    let busy = lost.filter((other) => other === group).length;
    for (const worker of workers) if (worker.state === "busy" && worker.group === group) busy++;
    return busy;
  }

  return {
    idle: () => workers.values().find(({ state }) => state === "idle"),
    ahead: () => workers.values().filter(({ takesAhead }) => takesAhead),
    start,
    warm() {
      spares = 1;
      start();
    },
    count,
    occupied: () => count().busy + leaving.size,
    busyFor,
    async close() {
      closed = true;
      clearTimeout(retryTimer);
      clearTimeout(idleTimer);
      const all = [...workers, ...leaving];
      await Promise.all(all.map((worker) => worker.end()));
    },
  };
}
