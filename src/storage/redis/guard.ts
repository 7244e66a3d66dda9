import type { StoreError, StoreOperation } from "../errors.ts";
import type { Runtime } from "../../runtime.ts";

/** Bounds every wait for a server that may be slow, frozen or gone. */
export interface Guard {
  /**
   * Returns the result of `work`, or throws a StoreError after `waitMs` at the latest. The work cannot be undone: a
   * command that was sent may still be executed, and `late` is called with its answer if that comes.
   */
  run<T>(
    operation: StoreOperation,
    waitMs: number,
    work: () => Promise<T>,
    late?: (value: T) => void,
  ): Promise<T>;
  /** False while calls fail at once instead of waiting. */
  readonly up: boolean;
  /** True while the server is down, and afterwards until every node can have noticed that it is back. */
  readonly settling: boolean;
  close(): void;
}

export interface GuardOptions {
  /** Returns why there is no connection; undefined if there is one. */
  disconnected(): unknown;
  /** Turns an error of the client into one sentence for the operator. */
  explain(operation: StoreOperation, cause: unknown): StoreError;
  /** A command without effect, by which the guard finds out that the server is back. */
  probe(): Promise<unknown>;
  runtime: Runtime;
  /** Milliseconds that the event loop has spent idle. */
  idle(): number;
  /** Called when the server goes down, after three consecutive failures, and when it is up, after the first success. */
  onChange(up: boolean, reason: StoreError | undefined): void;
}

const failuresUntilDown = 3;
/** Milliseconds between two probes. A call is never a probe: it would wait, and a late count may be counted twice. */
const probeEveryMs = 250;
const probeMs = 100;
/** Longer than any node needs to notice: the pauses of its connection and of its probe, and its wait. */
const settleMs = 1500;
/** Longest wait by the wall clock, however busy the machine is. */
const wallMs = 350;

export function createGuard(options: GuardOptions): Guard {
  const { disconnected, explain, probe, runtime, idle, onChange } = options;
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
    // The current reason may be better than the one for which the server went down.
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
      // An error reply is an answer.
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
    backAt = runtime.monotonic();
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
   * Bounds the wait in idle time of the event loop: an answer that a busy process has not read yet is not late. The
   * wall-clock bound is `wallMs`.
   */
  async function within<T>(waitMs: number, work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const since = runtime.monotonic();
    const idleSince = idle();
    let timer = setTimeout(look, waitMs);
    timers.add(timer);
    function look(): void {
      timers.delete(timer);
      const left = Math.min(
        waitMs - (idle() - idleSince),
        Math.max(waitMs, wallMs) - (runtime.monotonic() - since),
      );
      if (left < 1) {
        // Timers run before sockets in a turn of the event loop: this lets data that has arrived be read first.
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
      return !up || runtime.monotonic() - backAt < settleMs;
    },
    close() {
      closed = true;
      clearTimeout(probing);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** No answer came in time. */
export class TimeoutError extends Error {
  constructor() {
    super("no answer in time");
    this.name = "TimeoutError";
  }
}

/** Reports whether Redis answered with an error, which the client marks by name. LOADING counts as no answer. */
export const isReply = (cause: unknown): boolean =>
  cause instanceof Error &&
  cause.name === "ReplyError" &&
  !/^(?:LOADING|MASTERDOWN|CLUSTERDOWN)/.test(cause.message);
