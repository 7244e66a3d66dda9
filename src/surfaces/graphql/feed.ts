import { ToolError } from "../../catalog/errors.ts";

/** The source of the values of a subscription. */
export interface Source<T> {
  push(value: T): void;
  /** Ends the feed with this error. */
  fail(error: unknown): void;
}

export interface FeedOptions<T> {
  /** Aborted when the reader leaves. */
  signal: AbortSignal;
  /** Begins to listen; returns a function that stops. */
  begin(source: Source<T>): () => void;
  /** Most unread values. */
  max?: number;
}

/** A reader that is merely slow stays below it. */
const maxWaiting = 1000;

/**
 * Buffers pushed values for a reader. A reader that leaves too many unread gets `overloaded`. It listens from the call
 * on; `return` ends it at once, even while a value is awaited, which an `async function*` cannot do.
 */
export function createFeed<T>({
  signal,
  begin,
  max = maxWaiting,
}: FeedOptions<T>): AsyncGenerator<T, void, undefined> {
  type Result = IteratorResult<T, void>;
  let values: T[] = [];
  // Index of the next value; shifting a thousand values one by one would cost a million moves.
  let at = 0;
  const waiting: PromiseWithResolvers<Result>[] = [];
  let error: { cause: unknown } | undefined;
  let over = false;

  function end(): void {
    if (over) return;
    over = true;
    values = [];
    signal.removeEventListener("abort", end);
    endListening?.();
    for (const one of waiting.splice(0)) one.resolve({ done: true, value: undefined });
  }

  function fail(cause: unknown): void {
    if (over) return;
    const first = waiting.shift();
    if (first === undefined) error = { cause };
    else first.reject(cause);
    end();
  }

  function push(value: T): void {
    if (over) return;
    const first = waiting.shift();
    if (first !== undefined) return first.resolve({ done: false, value });
    if (values.length - at >= max) return fail(tooSlow(max));
    values.push(value);
  }

  async function next(): Promise<Result> {
    if (error !== undefined) {
      const { cause } = error;
      error = undefined;
      throw cause;
    }
    if (over) return { done: true, value: undefined };
    if (at < values.length) {
      const value = values[at++] as T;
      if (at === values.length) {
        values = [];
        at = 0;
      } else if (at >= max) {
        values.splice(0, at);
        at = 0;
      }
      return { done: false, value };
    }
    const one = Promise.withResolvers<Result>();
    waiting.push(one);
    return one.promise;
  }

  async function leave(): Promise<Result> {
    error = undefined;
    end();
    return { done: true, value: undefined };
  }

  let endListening: (() => void) | undefined;
  if (signal.aborted) over = true;
  else {
    signal.addEventListener("abort", end);
    endListening = begin({ push, fail });
    // The reader may have left before the start.
    if (isOver()) endListening();
  }

  function isOver(): boolean {
    return over;
  }

  return {
    next,
    return: leave,
    async throw(cause) {
      await leave();
      throw cause;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await leave();
    },
  };
}

const tooSlow = (max: number): ToolError =>
  new ToolError(
    "overloaded",
    `The subscription was ended: ${max} values were unread. Read them faster, or subscribe to fewer.`,
    { limit: max, retryAfter: 1 },
  );
