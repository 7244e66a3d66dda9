import type { IncomingMessage } from "node:http";
import { ToolError } from "../../../catalog/errors.ts";
import type { Host } from "../host.ts";
import { RemoteError } from "../remote-error.ts";
import { visible } from "../visible.ts";
import { isPassing } from "./refusal.ts";
import type { Remote } from "./remote.ts";

/** How it stands with a server that is asked again and again. */
export interface Connection {
  /** Why it cannot be reached now; undefined where it can, or nobody has asked it yet. */
  readonly fault: Error | undefined;
  reached(): Promise<void>;
  /** Each outage is told once, when an attempt to connect has failed: a connection that breaks and is back at once is nobody's concern. */
  lost(fault: Error): Promise<void>;
  /** How long to wait before the next attempt, in milliseconds; `firstMs` after the first failure. */
  pauseMs(firstMs: number): number;
}

/** How long after the first failure, where the server says nothing else. */
export const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const longestWaitSeconds = 3600;

export function createConnection({ url }: Remote, { stderr, random }: Host): Connection {
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
      const longest = Math.min(firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 10), longestPauseMs);
      // By chance shorter, so that those whom one restart has cut off do not come back together.
      const [chance = 0] = random(1);
      return Math.max(longest * (0.5 + chance / 510), Math.min(askedOf(fault), longestWaitSeconds) * 1000);
    },
  };
}

/** What the server asked for in Retry-After, in seconds. */
function askedOf(fault: Error | undefined): number {
  if (fault instanceof ToolError) return fault.details.retryAfter ?? 0;
  return fault instanceof RemoteError ? (fault.retryAfter ?? 0) : 0;
}

/** What the server answers, asked again until it does; undefined where the signal came before. @throws what it refuses for good. */
export async function askPatiently<Answer>(
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
      if (signal.aborted || !isPassing(error)) throw error;
      await connection.lost(error as Error);
    }
    await pause(connection.pauseMs(firstPauseMs), signal);
  }
  return undefined;
}

/**
 * The bytes of an answer that has no end, until it has one all the same: however a connection breaks, and when it has been
 * silent for so long that it must be dead.
 */
export async function* chunksOf(stream: IncomingMessage, silenceMs: number): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      // Only while it is waited for: whoever deals with a message may take as long as it needs.
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

/** Resolves early when the signal comes. */
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
