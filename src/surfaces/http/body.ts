import type { IncomingMessage } from "node:http";
import { ToolError } from "../../catalog/errors.ts";
import { createAllowance } from "./allowance.ts";
import type { Exchange, Upload } from "./exchange.ts";
import { free } from "./free.ts";
import type { Timeouts } from "./timeouts.ts";
import type { Runtime } from "../../runtime.ts";

export interface BodyLimits {
  /** Most bytes of one body. */
  limit: number;
  /** Most bytes of all large bodies held at a time; concurrency times `limit` would be gigabytes. */
  total: number;
  timeouts: Timeouts;
  runtime: Runtime;
}

export interface BodyReader {
  /**
   * Reads the whole body. A body above `inlineBytes` owns its ArrayBuffer and can be transferred to a worker. `max`
   * replaces the usual limit.
   * @throws ToolError body_too_large, request_timeout, overloaded; `gone` if the client disconnects.
   */
  read(exchange: Exchange, inlineBytes: number, max?: BodyLimit): Promise<Uint8Array> | Uint8Array;
  /** Gives back the memory booked for the body of a finished exchange. */
  release(exchange: Exchange): void;
}

/** Size limit of a body. */
export interface BodyLimit {
  bytes: number;
  /** Name of the option that sets the limit. */
  option?: string;
}

/**
 * Bytes up to which a body counts as small. Small bodies are always accepted: at the highest concurrency they still fit
 * into memory.
 */
const small = 65_536;

/** Rejection reason if the client disconnected, so that no answer can be sent. */
export const gone = new Error("The client closed the connection");

const none = new Uint8Array(0);
const exchangeKey = Symbol("exchange");

type TrackedRequest = IncomingMessage & { [exchangeKey]?: Exchange };

export function createBodyReader({ limit, total, timeouts, runtime }: BodyLimits): BodyReader {
  const allowance = createAllowance(total);
  const usual: BodyLimit = { bytes: limit, option: "server.bodyLimit" };

  function read(
    exchange: Exchange,
    inlineBytes: number,
    max: BodyLimit = usual,
  ): Promise<Uint8Array> | Uint8Array {
    const { req, res } = exchange;
    if (!hasBody(exchange)) {
      exchange.bodyRead = true;
      return none;
    }
    // Refuse a declared length above the limit at once; a smaller one is only a claim and reserves nothing.
    if (Number(req.headers["content-length"]) > max.bytes) throw tooLarge(max);
    if (exchange.expectsContinue) {
      exchange.expectsContinue = false;
      res.writeContinue();
    }
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const startedAt = runtime.monotonic();
    exchange.upload = { chunks: [], inlineBytes, max, startedAt, window: 0, resolve, reject };
    exchange.deadline = startedAt + timeouts.progress;
    exchange.onDeadline = watchProgress;
    // `close` of the response reports a lost connection too, which saves a listener per request.
    exchange.onGone = abandon;
    (req as TrackedRequest)[exchangeKey] = exchange;
    req.on("data", onData);
    req.on("end", onEnd);
    return promise;
  }

  function onData(this: IncomingMessage, chunk: Buffer): void {
    const exchange = (this as TrackedRequest)[exchangeKey];
    const upload = exchange?.upload;
    if (exchange === undefined || upload === undefined) return;
    upload.chunks.push(chunk);
    upload.window += chunk.length;
    exchange.bytesIn += chunk.length;
    if (exchange.bytesIn > upload.max.bytes) fail(exchange, tooLarge(upload.max));
    else if (exchange.bytesIn > small) hold(exchange);
  }

  /** Books the received bytes of a large body. */
  function hold(exchange: Exchange): void {
    const more = exchange.bytesIn - exchange.held;
    exchange.held += more;
    const room = allowance.take(exchange, more);
    if (room === "room") return;
    const whose = room === "full" ? "" : "of your ";
    fail(
      exchange,
      new ToolError("overloaded", `Too many ${whose}large bodies are being received.`, { retryAfter: 1 }),
    );
  }

  function release(exchange: Exchange): void {
    if (exchange.held === 0) return;
    allowance.giveBack(exchange, exchange.held);
    exchange.held = 0;
  }

  function onEnd(this: IncomingMessage): void {
    const exchange = (this as TrackedRequest)[exchangeKey];
    const upload = exchange === undefined ? undefined : finish(exchange);
    if (exchange === undefined || upload === undefined) return;
    exchange.bodyRead = true;
    upload.resolve(join(upload.chunks, exchange.bytesIn, upload.inlineBytes));
  }

  function watchProgress(exchange: Exchange): void {
    const { upload } = exchange;
    if (upload === undefined) return;
    const time = runtime.monotonic();
    if (upload.window < timeouts.progressBytes || time - upload.startedAt > timeouts.body) {
      fail(
        exchange,
        new ToolError("request_timeout", "The body arrived too slowly. Send the request again."),
      );
      return;
    }
    upload.window = 0;
    exchange.deadline = time + timeouts.progress;
  }

  function fail(exchange: Exchange, error: Error): void {
    exchange.req.off("data", onData);
    exchange.req.pause();
    // The received part is discarded.
    release(exchange);
    finish(exchange)?.reject(error);
  }

  return { read, release };
}

function abandon(exchange: Exchange): void {
  finish(exchange)?.reject(gone);
}

/** Ends an upload and returns it; undefined if it had ended already. */
function finish(exchange: Exchange): Upload | undefined {
  const { upload } = exchange;
  exchange.upload = undefined;
  exchange.deadline = Infinity;
  exchange.onGone = undefined;
  return upload;
}

/** Reports whether the request declares a length or is chunked, and so has a body (RFC 9112 §6.3). */
export function hasBody({ req: { headers } }: Exchange): boolean {
  const length = headers["content-length"];
  return (length !== undefined && length !== "0") || headers["transfer-encoding"] !== undefined;
}

function tooLarge({ bytes, option }: BodyLimit): ToolError {
  const where = option === undefined ? "" : ` (${option})`;
  return new ToolError("body_too_large", `The body is larger than ${bytes} bytes${where}.`, { limit: bytes });
}

/**
 * Joins chunks into one transferable buffer. Chunks are freed as they are copied: left to the garbage collector, a few
 * large bodies a second would trigger full collections, which delay every request.
 */
function join(chunks: readonly Buffer[], size: number, inlineBytes: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1 && size <= inlineBytes) return first;
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
    free(chunk);
  }
  return bytes;
}
