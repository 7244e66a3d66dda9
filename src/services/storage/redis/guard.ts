import type { StoreError, StoreOperation } from "../errors.ts";

/** Stands between us and a server that may be slow, frozen or gone: nobody waits longer than was agreed. */
export interface Guard {
  /**
   * The work, or a StoreError after `waitMs` at the latest. The work itself cannot be taken back: what was sent may
   * still be carried out, and `late` is told of its answer, should it come after all.
   */
  run<T>(
    operation: StoreOperation,
    waitMs: number,
    work: () => Promise<T>,
    late?: (value: T) => void,
  ): Promise<T>;
  /** False while calls fail at once instead of waiting. */
  readonly up: boolean;
  /** While it is down, and after it until every node can have noticed that it is over. */
  readonly settling: boolean;
  close(): void;
}

export interface GuardOptions {
  /** Why there is no connection, where there is none. */
  disconnected(): unknown;
  /** One sentence for the operator out of what the client threw. */
  explain(operation: StoreOperation, cause: unknown): StoreError;
  /** Something that does nothing and is answered: how it is found out that the server is back. */
  probe(): Promise<unknown>;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Milliseconds that the event loop has spent with nothing to do but wait. */
  idle(): number;
  /** Down after three failures in a row, up after the first success. */
  onChange(up: boolean, reason: StoreError | undefined): void;
}

const failuresUntilDown = 3;
/** Between two probes. A call never is one: it would wait, and a count that comes too late may be counted twice. */
const probeEveryMs = 250;
const probeMs = 75;
/** Longer than any node needs to find out: the pause of its connection, of its probe, and its wait. */
const settleMs = 1500;
/** No wait is longer by the clock on the wall, however busy the machine is. */
const wallMs = 350;

export function createGuard(options: GuardOptions): Guard {
  const { disconnected, explain, probe, monotonic, idle, onChange } = options;
  let failures = 0;
  let up = true;
  let backAt = -Infinity;
  let lastCause: unknown;
  let probing: NodeJS.Timeout | undefined;
  let closed = false;
  const timers = new Set<NodeJS.Timeout>();

  async function run<T>(
    operation: StoreOperation,
    waitMs: number,
    work: () => Promise<T>,
    late?: (value: T) => void,
  ): Promise<T> {
    // Why it does not answer may be known better by now than when it went down.
    if (!up) throw explain(operation, disconnected() ?? lastCause);
    return attempt(operation, waitMs, work, late);
  }

  async function attempt<T>(
    operation: StoreOperation,
    waitMs: number,
    work: () => Promise<T>,
    late?: (value: T) => void,
  ): Promise<T> {
    const absent = disconnected();
    if (absent !== undefined) {
      const error = explain(operation, absent);
      failed(error, absent);
      throw error;
    }
    let pending: Promise<T> | undefined;
    try {
      pending = work();
      const value = await within(waitMs, pending);
      succeeded();
      return value;
    } catch (cause) {
      const error = explain(operation, cause);
      // An answer that says no is an answer.
      if (isReply(cause)) succeeded();
      else failed(error, cause);
      if (cause instanceof TimeoutError && late !== undefined) void pending?.then(late, () => undefined);
      throw error;
    }
  }

  function failed(error: StoreError, cause: unknown): void {
    failures += 1;
    lastCause = cause;
    if (!up || failures < failuresUntilDown) return;
    up = false;
    lookForIt();
    onChange(false, error);
  }

  function succeeded(): void {
    failures = 0;
    if (up) return;
    up = true;
    clearTimeout(probing);
    backAt = monotonic();
    onChange(true, undefined);
  }

  function lookForIt(): void {
    if (closed || up) return;
    probing = setTimeout(
      () => void attempt("check", probeMs, probe).then(undefined, () => lookForIt()),
      probeEveryMs,
    ).unref();
  }

  /**
   * Waiting is when there is nothing else to do: on a machine so busy that we come too late to read it, the answer is not
   * late. All the same it ends at `wallMs`.
   */
  async function within<T>(waitMs: number, work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const since = monotonic();
    const idleSince = idle();
    let timer = setTimeout(look, waitMs);
    timers.add(timer);
    function look(): void {
      timers.delete(timer);
      const left = Math.min(waitMs - (idle() - idleSince), Math.max(waitMs, wallMs) - (monotonic() - since));
      if (left < 1) {
        // Timers come before the sockets in a turn of the event loop: what lies there already is read before this.
        setImmediate(() => late.reject(new TimeoutError()));
        return;
      }
      timer = setTimeout(look, left);
      timers.add(timer);
    }
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
      timers.delete(timer);
    }
  }

  return {
    run,
    get up() {
      return up;
    },
    get settling() {
      return !up || monotonic() - backAt < settleMs;
    },
    close() {
      closed = true;
      clearTimeout(probing);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Nothing came back in time. */
export class TimeoutError extends Error {
  constructor() {
    super("no answer in time");
    this.name = "TimeoutError";
  }
}

/** Redis answered, with an error: the client marks those by name. LOADING means that it is not there yet. */
export const isReply = (cause: unknown): boolean =>
  cause instanceof Error &&
  cause.name === "ReplyError" &&
  !/^(?:LOADING|MASTERDOWN|CLUSTERDOWN)/.test(cause.message);
