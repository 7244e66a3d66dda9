import type { IncomingMessage } from "node:http";
import { ToolError } from "../../../catalog/errors.ts";
import type { Host } from "../host.ts";
import { RemoteError } from "../remote-error.ts";
import { visible } from "../visible.ts";
import { isTransient } from "./refusal.ts";
import type { Remote } from "./remote.ts";

/** The state of a connection that is retried. */
export interface Connection {
  /** The reason why the server cannot be reached; undefined if it can, or before the first attempt. */
  readonly fault: Error | undefined;
  reached(): Promise<void>;
  /** Records a failed attempt to connect; the first of an outage is reported on standard error. */
  lost(fault: Error): Promise<void>;
  /** Milliseconds to wait before the next attempt: about `firstMs` after the first failure, doubling after each. */
  pauseMs(firstMs: number): number;
}

/** The pause after the first failure, unless the server asks for another. */
export const firstPauseMs = 1000;
const maxPauseMs = 30_000;
const maxWaitSeconds = 3600;

export function createConnection({ url }: Remote, { stderr, runtime }: Host): Connection {
  let fault: Error | undefined;
  let failures = 0;
  return {
    get fault() {
      return fault;
    },
    async reached() {
      if (fault !== undefined) await stderr.write(`penknife: connected to ${visible(url)} again\n`);
      fault = undefined;
      failures = 0;
    },
    async lost(reason) {
      if (fault === undefined)
        await stderr.write(`penknife: ${visible(reason.message.replace(/\.$/, ""))}; trying again\n`);
      fault = reason;
      failures++;
    },
    pauseMs(firstMs) {
      const longest = Math.min(firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 10), maxPauseMs);
      // Shortened at random, so that clients that lost their connection together do not return together.
      const [chance = 0] = runtime.random(1);
      return Math.max(longest * (0.5 + chance / 510), Math.min(retryAfterOf(fault), maxWaitSeconds) * 1000);
    },
  };
}

/** The Retry-After of the server, in seconds. */
function retryAfterOf(fault: Error | undefined): number {
  if (fault instanceof ToolError) return fault.details.retryAfter ?? 0;
  return fault instanceof RemoteError ? (fault.retryAfter ?? 0) : 0;
}

/** Retries a request until it succeeds; undefined if the signal aborts first. @throws the first error that a retry cannot fix. */
export async function retryUntil<Answer>(
  ask: () => Promise<Answer>,
  connection: Connection,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  while (!signal.aborted) {
    try {
      const answer = await ask();
      await connection.reached();
      return answer;
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      await connection.lost(error as Error);
    }
    await pause(connection.pauseMs(firstPauseMs), signal);
  }
  return undefined;
}

/**
 * The bytes of an endless response. Ends when the connection breaks, or when it is silent for so long that it must be
 * dead.
 */
export async function* chunksOf(stream: IncomingMessage, silenceMs: number): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      // The timer runs only while waiting for a chunk, not while the consumer handles one.
      const timer = setTimeout(() => stream.destroy(), silenceMs);
      const next = await chunks.next().catch(() => undefined);
      clearTimeout(timer);
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    stream.destroy();
  }
}

/** Resolves after `ms`, or when the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
