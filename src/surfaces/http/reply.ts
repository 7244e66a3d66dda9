import type { ServerResponse } from "node:http";
import { constants, brotliCompress, gzip } from "node:zlib";
import { ToolError } from "../../catalog/errors.ts";
import { negotiateCoding, type Coding } from "./accept.ts";
import { hasBody } from "./body.ts";
import { createAllowance } from "./allowance.ts";
import type { Exchange } from "./exchange.ts";
import { free } from "./free.ts";
import { pushLimitHeaders } from "./limit-headers.ts";
import type { Timeouts } from "./timeouts.ts";

export interface Reply {
  /**
   * Writes the one answer of an exchange. `headers` are names and values in turn. Bytes are taken over: whoever gave
   * them must not use them again.
   * @throws ToolError overloaded where too many large answers wait for their readers.
   */
  send(
    exchange: Exchange,
    status: number,
    type: string,
    body: string | Uint8Array,
    headers?: readonly string[],
  ): void;
  /** Like `send`, with bytes that others are sent as well and that stay as they are. */
  sendShared(
    exchange: Exchange,
    status: number,
    type: string,
    body: Uint8Array,
    headers?: readonly string[],
  ): void;
  /** Like `send`, compressed where it is large enough and the client asks for it. */
  sendCompressed(
    exchange: Exchange,
    status: number,
    type: string,
    body: string | Uint8Array,
    headers?: readonly string[],
  ): void | Promise<void>;
  /** An answer without a body: 204 and 304. */
  sendEmpty(exchange: Exchange, status: number, headers?: readonly string[]): void;
  /** Begins an answer whose end is not known: the caller writes it, and does not write faster than it is read. */
  begin(exchange: Exchange, status: number, type: string, headers?: readonly string[]): void;
  /** Gives back what the answer of a finished exchange held. */
  release(exchange: Exchange): void;
  /** From now on every answer closes its connection. */
  close(): void;
}

export interface ReplyDeps {
  /** Epoch milliseconds. */
  now(): number;
  monotonic(): number;
  timeouts: Timeouts;
  /** Bytes of all large answers that are not sent yet. */
  total: number;
  /** Called before the head of an answer is sent. */
  onHead(exchange: Exchange): void;
}

/** Below this, the gain is one packet or none. */
const compressionThreshold = 2048;
/** A body that was not read is swallowed up to here to keep the connection; above it, closing is cheaper. */
const swallowed = 65_536;
/** One write to a slow reader. */
const slice = 262_144;

const nothing: readonly string[] = [];

export function createReply({ now, monotonic, timeouts, total, onHead }: ReplyDeps): Reply {
  let closing = false;
  const allowance = createAllowance(total);

  function send(
    exchange: Exchange,
    status: number,
    type: string,
    body: string | Uint8Array,
    headers: readonly string[] = nothing,
  ): void {
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    const large = length > slice && exchange.req.method !== "HEAD";
    if (large) book(exchange, length);
    write(exchange, status, type, body, length, large ? "whole" : "none", headers);
  }

  function sendShared(
    exchange: Exchange,
    status: number,
    type: string,
    body: Uint8Array,
    headers: readonly string[] = nothing,
  ): void {
    const large = body.length > slice && exchange.req.method !== "HEAD";
    write(exchange, status, type, body, body.length, large ? "shared" : "none", headers);
  }

  function write(
    exchange: Exchange,
    status: number,
    type: string,
    body: string | Uint8Array,
    length: number,
    sliced: "none" | "whole" | "shared",
    headers: readonly string[],
  ): void {
    const head = ["Content-Type", type, "Content-Length", `${length}`];
    pushCommon(head, exchange, headers);
    const { req, res } = exchange;
    const leftover = unread(exchange);
    if (closing || leftover === "close") head.push("Connection", "close");
    if (res.destroyed) return;
    onHead(exchange);
    res.writeHead(status, head);
    exchange.bytesOut = req.method === "HEAD" ? 0 : length;
    if (leftover === "close" && !exchange.expectsContinue) linger(exchange, body, status === 408);
    else if (sliced === "none") finish(exchange, body);
    else void writeSlices(exchange, body, sliced === "whole");
  }

  /** Nobody can be made to read; an answer that is asked for and left lying is memory all the same. */
  function book(exchange: Exchange, bytes: number): void {
    const room = allowance.take(exchange, bytes);
    if (room === "room") {
      exchange.unsent = bytes;
      return;
    }
    allowance.giveBack(exchange, bytes);
    const whose = room === "full" ? "" : "of your ";
    const message = `Too many ${whose}large answers wait to be read. Read them, then send the request again.`;
    throw new ToolError("overloaded", message, { retryAfter: 1 });
  }

  function release(exchange: Exchange): void {
    if (exchange.unsent === 0) return;
    allowance.giveBack(exchange, exchange.unsent);
    exchange.unsent = 0;
  }

  function sendCompressed(
    exchange: Exchange,
    status: number,
    type: string,
    body: string | Uint8Array,
    headers: readonly string[] = nothing,
  ): void | Promise<void> {
    const coding = codingFor(exchange, body);
    if (coding === undefined) return send(exchange, status, type, body, headers);
    return compress(body, coding).then((bytes) =>
      send(exchange, status, type, bytes, [...headers, "Content-Encoding", coding]),
    );
  }

  function sendEmpty(exchange: Exchange, status: number, headers: readonly string[] = nothing): void {
    const head: string[] = [];
    pushCommon(head, exchange, headers);
    const close = closing || unread(exchange) === "close";
    if (close) head.push("Connection", "close");
    if (exchange.res.destroyed) return;
    onHead(exchange);
    exchange.res.writeHead(status, head);
    finish(exchange, "");
  }

  function begin(
    exchange: Exchange,
    status: number,
    type: string,
    headers: readonly string[] = nothing,
  ): void {
    const head = ["Content-Type", type];
    pushCommon(head, exchange, headers);
    if (closing || unread(exchange) === "close") head.push("Connection", "close");
    if (exchange.res.destroyed) return;
    onHead(exchange);
    exchange.res.writeHead(status, head).flushHeaders();
  }

  function pushCommon(head: string[], exchange: Exchange, headers: readonly string[]): void {
    head.push("X-Request-Id", exchange.requestId, "X-Content-Type-Options", "nosniff");
    if (exchange.quota !== undefined) pushLimitHeaders(head, exchange.quota, now());
    for (const text of exchange.extra) head.push(text);
    for (const text of headers) head.push(text);
  }

  /** Hands the rest over to the socket; a client that does not read it in time is cut off. */
  function finish(exchange: Exchange, rest: string | Uint8Array): void {
    exchange.deadline = monotonic() + timeouts.write;
    exchange.onDeadline = cutOff;
    // The answers of one turn of the event loop leave together, at its end. A write that finds its reader asleep
    // wakes it, which costs more than the write: in a row, a client of many connections is woken once, not for each.
    // And the journal of the counters, which is written at the end of the turn as well but was asked for before this,
    // comes first: what was answered is counted, whatever happens next.
    setImmediate(end, exchange.res, rest);
  }

  /** A slow reader gets one slice at a time and `timeouts.write` for each, so that it cannot hold memory for ever. */
  async function writeSlices(exchange: Exchange, body: string | Uint8Array, own: boolean): Promise<void> {
    const { res } = exchange;
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    let at = 0;
    exchange.onDeadline = cutOff;
    for (; bytes.length - at > slice; at += slice) {
      if (res.destroyed) return;
      exchange.deadline = monotonic() + timeouts.write;
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

  /**
   * Answers while the client is still sending: closing with unread bytes in the socket sends a reset, which can
   * overtake the answer (RFC 9112 §9.6). So the answer goes out, the rest is thrown away for a while, then we close.
   */
  function linger(exchange: Exchange, body: string | Uint8Array, slow: boolean): void {
    const { req, res } = exchange;
    // Whoever was too slow before is not waited for as long again.
    exchange.deadline = monotonic() + (slow ? Math.min(500, timeouts.linger) : timeouts.linger);
    exchange.onDeadline = leave;
    res.write(body);
    req.once("end", () => leave(exchange));
    req.resume();
  }

  const leave = (exchange: Exchange): void => finish(exchange, "");

  return {
    send,
    sendShared,
    sendCompressed,
    sendEmpty,
    begin,
    release,
    close() {
      closing = true;
    },
  };
}

const end = (res: ServerResponse, rest: string | Uint8Array): void => void res.end(rest);

const cutOff = ({ res }: Exchange): void => void res.destroy();

/** How the body will be compressed, undefined for not at all. */
export function codingFor({ req }: Pick<Exchange, "req">, body: string | Uint8Array): Coding | undefined {
  const accept = req.headers["accept-encoding"];
  return accept === undefined || body.length < compressionThreshold ? undefined : negotiateCoding(accept);
}

/** What to do with a body that nobody read: nothing, let Node swallow it, or close the connection. */
function unread(exchange: Exchange): "nothing" | "swallow" | "close" {
  if (exchange.bodyRead || exchange.req.complete || !hasBody(exchange)) return "nothing";
  if (exchange.expectsContinue || exchange.bytesIn > 0 || !exchange.res.shouldKeepAlive) return "close";
  return Number(exchange.req.headers["content-length"]) <= swallowed ? "swallow" : "close";
}

export function compress(body: string | Uint8Array, coding: Coding): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, bytes: Uint8Array): void =>
      error === null ? resolve(bytes) : reject(error);
    // Quality 4 is where brotli is as fast as gzip and still smaller; 11, its default, is a hundred times slower.
    if (coding === "br") brotliCompress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done);
    else gzip(body, { level: 5 }, done);
  });
}
