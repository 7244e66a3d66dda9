import type { ServerResponse } from "node:http";
import type { LoopShare } from "../../catalog/loop-share.ts";
import type { Exchange } from "./exchange.ts";
import { free } from "./free.ts";
import type { Timeouts } from "./timeouts.ts";
import type { Runtime } from "../../runtime.ts";

/** Writes the bodies of answers, so that neither slow readers nor many large answers hold memory or the event loop. */
export interface Writer {
  /** Passes the rest to the socket; a client that does not read it in time is disconnected. */
  finish(exchange: Exchange, rest: string | Uint8Array): void;
  /**
   * Writes one slice at a time, each with a deadline of `timeouts.write`, so that a slow reader cannot hold memory
   * indefinitely.
   * @param own Whether the bytes belong to this answer and are freed after it.
   */
  writeSlices(exchange: Exchange, body: string | Uint8Array, own: boolean): Promise<void>;
}

export interface WriterDeps {
  runtime: Runtime;
  timeouts: Timeouts;
  /** Grants a turn of the event loop for each large write. */
  loop: LoopShare;
}

/** Bytes of one write to a slow reader. */
export const slice = 262_144;
/**
 * Bytes above which a write takes a turn of its own. The kernel copies what fits into the buffers of a socket, megabytes for
 * one that nobody reads, before the write returns: hundreds of connections would hold the event loop for seconds.
 */
const ownTurn = 16_384;

export function createWriter({ runtime, timeouts, loop }: WriterDeps): Writer {
  function finish(exchange: Exchange, rest: string | Uint8Array): void {
    // All answers of one turn of the event loop are written at its end. Waking the reader costs more than the write,
    // and a client with many connections is then woken once. The counters' journal is written at the end of the turn
    // too, and was scheduled earlier: every answered request is counted, even if the process dies.
    if (rest.length > ownTurn) setImmediate(endInTurn, exchange, rest);
    else {
      limitWrite(exchange);
      setImmediate(end, exchange.res, rest);
    }
  }

  function endInTurn(exchange: Exchange, rest: string | Uint8Array): void {
    const turn = turnOf(exchange);
    if (turn === undefined) endNow();
    else void turn.then(endNow);
    function endNow(): void {
      limitWrite(exchange);
      end(exchange.res, rest);
    }
  }

  /** Returns a promise if the answer must wait for those before it on its connection, or for a turn of the event loop. */
  function turnOf(exchange: Exchange): Promise<void> | undefined {
    const { res } = exchange;
    // Node writes at once all that answers hold which follow on each other.
    if (res.socket !== null || res.destroyed) return loop.take();
    return new Promise<void>((resolve) => {
      res.once("socket", () => resolve());
      exchange.onGone = () => resolve();
    }).then(() => loop.take());
  }

  function limitWrite(exchange: Exchange): void {
    exchange.deadline = runtime.monotonic() + timeouts.write;
    exchange.onDeadline = cutOff;
  }

  async function writeSlices(exchange: Exchange, body: string | Uint8Array, own: boolean): Promise<void> {
    const { res } = exchange;
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    let at = 0;
    for (; bytes.length - at > slice; at += slice) {
      const turn = turnOf(exchange);
      if (turn !== undefined) await turn;
      if (res.destroyed) return;
      limitWrite(exchange);
      if (!res.write(bytes.subarray(at, at + slice))) {
        await new Promise<void>((resolve) => {
          res.once("drain", resolve);
          exchange.onGone = () => resolve();
        });
      }
    }
    if (res.destroyed) return;
    if (own) res.once("finish", () => free(bytes));
    finish(exchange, bytes.subarray(at));
  }

  return { finish, writeSlices };
}

const end = (res: ServerResponse, rest: string | Uint8Array): void => void res.end(rest);

const cutOff = ({ res }: Exchange): void => void res.destroy();
