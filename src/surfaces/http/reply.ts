import { constants, brotliCompress, gzip } from "node:zlib";
import { ToolError } from "../../catalog/errors.ts";
import type { LoopShare } from "../../catalog/loop-share.ts";
import { negotiateCoding, type Coding } from "./accept.ts";
import { hasBody } from "./body.ts";
import { createAllowance } from "./allowance.ts";
import type { Exchange } from "./exchange.ts";
import { pushLimitHeaders } from "./limit-headers.ts";
import type { Timeouts } from "./timeouts.ts";
import { createWriter, slice } from "./writer.ts";
import type { Runtime } from "../../runtime.ts";

export interface Reply {
  /**
   * Sends the answer of an exchange. `headers` are alternating names and values. Takes ownership of bytes: the caller
   * must not use them again.
   * @throws ToolError overloaded if too many large answers wait for their readers.
   */
  send(
    exchange: Exchange,
    status: number,
    type: string,
    body: string | Uint8Array,
    headers?: readonly string[],
  ): void;
  /** Like `send`, for bytes that several answers share, which stay unchanged. */
  sendShared(
    exchange: Exchange,
    status: number,
    type: string,
    body: Uint8Array,
    headers?: readonly string[],
  ): void;
  /** Like `send`, compressed if the body is large enough and the client accepts it. */
  sendCompressed(
    exchange: Exchange,
    status: number,
    type: string,
    body: string | Uint8Array,
    headers?: readonly string[],
  ): void | Promise<void>;
  /** Sends an answer without a body, such as 204 and 304. */
  sendEmpty(exchange: Exchange, status: number, headers?: readonly string[]): void;
  /** Sends the head of a streaming answer. The caller writes the body, no faster than it is read. */
  begin(exchange: Exchange, status: number, type: string, headers?: readonly string[]): void;
  /** Gives back the memory booked for the answer of a finished exchange. */
  release(exchange: Exchange): void;
  /** Makes every further answer close its connection. */
  close(): void;
}

export interface ReplyDeps {
  runtime: Runtime;
  timeouts: Timeouts;
  /** Grants a turn of the event loop for each large write. */
  loop: LoopShare;
  /** Most bytes of large answers that are not sent yet. */
  total: number;
  /** `server.hstsSeconds`. */
  hstsSeconds?: number;
  /** Called before the head of an answer is sent. */
  onHead(exchange: Exchange): void;
}

/** Bytes below which compression saves at most one packet. */
const compressionThreshold = 2048;
/** Bytes of an unread body that are discarded to keep the connection; above it, closing is cheaper. */
const swallowed = 65_536;
const nothing: readonly string[] = [];
const noSniff = "X-Content-Type-Options";

export function createReply({ runtime, timeouts, loop, total, hstsSeconds = 0, onHead }: ReplyDeps): Reply {
  let closing = false;
  const allowance = createAllowance(total);
  const { finish, writeSlices } = createWriter({ runtime, timeouts, loop });

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
    const head = toHead(type, length, exchange);
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

  /** Books a large answer: while its client does not read it, it occupies memory. */
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
    const head = alwaysSent(exchange);
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
    const head = ["Content-Type", type, ...alwaysSent(exchange)];
    pushCommon(head, exchange, headers);
    if (closing || unread(exchange) === "close") head.push("Connection", "close");
    if (exchange.res.destroyed) return;
    onHead(exchange);
    exchange.res.writeHead(status, head).flushHeaders();
  }

  function pushCommon(head: string[], exchange: Exchange, headers: readonly string[]): void {
    // A browser ignores it over plain HTTP, and nobody knows there whether a proxy speaks TLS (RFC 6797 §7.2).
    if (hstsSeconds > 0 && "encrypted" in exchange.req.socket)
      head.push("Strict-Transport-Security", `max-age=${hstsSeconds}`);
    if (exchange.quota !== undefined) pushLimitHeaders(head, exchange.quota, runtime.now());
    for (const text of exchange.extra) head.push(text);
    for (const text of headers) head.push(text);
  }

  /**
   * Answers while the client is still sending. Closing a socket with unread input sends a reset, which can overtake the
   * answer (RFC 9112 §9.6), so input is discarded for a while before the connection is closed.
   */
  function linger(exchange: Exchange, body: string | Uint8Array, slow: boolean): void {
    const { req, res } = exchange;
    // A client that was too slow before gets no further grace.
    exchange.deadline = runtime.monotonic() + (slow ? Math.min(500, timeouts.linger) : timeouts.linger);
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

/** Returns the headers of every answer. */
const alwaysSent = ({ requestId }: Exchange): string[] => ["X-Request-Id", requestId, noSniff, "nosniff"];

/** Returns the first headers of a whole answer. With these eight elements an array has room for all; with fewer it would be copied twice. */
const toHead = (type: string, length: number, { requestId }: Exchange): string[] => [
  "Content-Type",
  type,
  "Content-Length",
  `${length}`,
  "X-Request-Id",
  requestId,
  noSniff,
  "nosniff",
];

/** Returns the coding of the answer, undefined for none. */
export function codingFor({ req }: Pick<Exchange, "req">, body: string | Uint8Array): Coding | undefined {
  const accept = req.headers["accept-encoding"];
  return accept === undefined || body.length < compressionThreshold ? undefined : negotiateCoding(accept);
}

/** Returns how to treat an unread body: nothing to do, let Node discard it, or close the connection. */
function unread(exchange: Exchange): "nothing" | "swallow" | "close" {
  if (exchange.bodyRead || exchange.req.complete || !hasBody(exchange)) return "nothing";
  if (exchange.expectsContinue || exchange.bytesIn > 0 || !exchange.res.shouldKeepAlive) return "close";
  return Number(exchange.req.headers["content-length"]) <= swallowed ? "swallow" : "close";
}

export function compress(body: string | Uint8Array, coding: Coding): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, bytes: Uint8Array): void =>
      error === null ? resolve(bytes) : reject(error);
    // Brotli at quality 4 is as fast as gzip and smaller; its default of 11 is a hundred times slower.
    if (coding === "br") brotliCompress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done);
    else gzip(body, { level: 5 }, done);
  });
}
