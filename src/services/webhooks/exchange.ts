import type { ClientRequest, IncomingMessage } from "node:http";
import { EndedError } from "./failure.ts";

/** What came back of a request, also where it did not end well. */
export interface Answer {
  status?: number;
  /** Of `Retry-After`. */
  retryAfter?: string | undefined;
  /** The beginning of the body. */
  beginning: Buffer;
}

/** Of the body. A receiver has nothing to say that is longer; one that never ends must not keep us. */
const readBytes = 16_384;
const keptBytes = 1024;
/** Interim answers (1xx). Nothing else bounds them, and to read them as fast as they come would be all that we do. */
const mostInterim = 100;

/**
 * Sends the body, and reads into `answer` what comes back, until its end or 16 KB. A redirect is an answer like any other.
 * Rejects with what ended it before; what `signal` says ends it at any point.
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
      // Bytes after a whole answer, such as the body of a 204, are not a fault of it (RFC 9110 §15.3.5, RFC 9112 §6.3).
      .on("error", (error) => (received?.complete === true ? resolve() : fail(error)))
      .on("information", () => {
        interim += 1;
        if (interim === mostInterim + 1) fail(new EndedError("PENKNIFE_RESPONSE"));
      })
      // 101: we never asked to speak anything else.
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
        // Its connection with it: what is still to come would be read as the next answer.
        response.destroy();
      })
      .on("end", resolve)
      .on("error", (error) => (response.complete ? resolve() : reject(error)));
  });
}
