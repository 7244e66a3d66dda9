import type { ClientRequest, IncomingMessage } from "node:http";
import { EndedError } from "./failure.ts";

/** The answer to a request, complete or not. */
export interface Answer {
  status?: number;
  /** The `Retry-After` header. */
  retryAfter?: string | undefined;
  /** The beginning of the body. */
  beginning: Buffer;
}

/** Bytes of the body that are read: no answer needs more, and an endless one must not occupy a connection. */
const readBytes = 16_384;
const keptBytes = 1024;
/** Most interim answers (1xx): nothing else bounds them, and a fast stream of them would keep the process busy. */
const mostInterim = 100;

/**
 * Sends the body and reads the answer into `answer`, up to its end or 16 KB. A redirect is an answer like any other.
 * Rejects with the error that ended the exchange, or with the reason of `signal`.
 */
export function exchange(
  request: ClientRequest,
  body: Uint8Array,
  answer: Answer,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      reject(error);
      request.destroy();
    };
    let interim = 0;
    let received: IncomingMessage | undefined;
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
    request
      // Bytes after a complete answer, such as the body of a 204, are not its fault (RFC 9110 §15.3.5, RFC 9112 §6.3).
      .on("error", (error) => (received?.complete === true ? resolve() : fail(error)))
      .on("information", () => {
        interim += 1;
        if (interim === mostInterim + 1) fail(new EndedError("PENKNIFE_RESPONSE"));
      })
      // 101: no upgrade was requested.
      .on("upgrade", (_, socket) => {
        socket.destroy();
        fail(new EndedError("PENKNIFE_RESPONSE"));
      })
      .on("response", (response) => {
        received = response;
        answer.status = response.statusCode ?? 0;
        answer.retryAfter = response.headers["retry-after"];
        read(response, answer).then(resolve, fail);
      })
      .end(body);
  });
}

function read(response: IncomingMessage, answer: Answer): Promise<void> {
  return new Promise((resolve, reject) => {
    let total = 0;
    response
      .on("data", (chunk: Buffer) => {
        if (total < keptBytes)
          answer.beginning = Buffer.concat([answer.beginning, chunk.subarray(0, keptBytes - total)]);
        total += chunk.length;
        if (total < readBytes) return;
        resolve();
        // Closes the connection too: the rest of the body would be read as the next answer.
        response.destroy();
      })
      .on("end", resolve)
      .on("error", (error) => (response.complete ? resolve() : reject(error)));
  });
}
