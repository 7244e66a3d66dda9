import type { ClientRequest, IncomingMessage } from "node:http";
import { EndedError } from "./failure.ts";

/** A receiver's answer, complete or not. */
export interface Answer {
  status?: number;
  /** The `Retry-After` header. */
  retryAfter?: string | undefined;
  /** The first 1024 bytes of the body. */
  beginning: Buffer;
}

/** Bytes of the body to read: nothing longer is of interest, and a body without an end must not occupy us. */
const readBytes = 16_384;
const keptBytes = 1024;
/** Most interim answers (1xx), which nothing else bounds. */
const maxInterim = 100;

/**
 * Sends the body and reads into `answer` until the answer ends or 16 KB have come. Redirects are not followed.
 * Rejects with the error that ended it, or with the reason of `signal`.
 */
export function post(
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
      // Bytes after a complete answer, such as the body of a 204, do not invalidate it (RFC 9110 §15.3.5, RFC 9112 §6.3).
      .on("error", (error) => (received?.complete === true ? resolve() : fail(error)))
      .on("information", () => {
        interim += 1;
        if (interim === maxInterim + 1) fail(new EndedError("PENKNIFE_RESPONSE"));
      })
      // 101: the request does not offer another protocol.
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
        // The connection is closed too: the rest of the body would be read as the next answer.
        response.destroy();
      })
      .on("end", resolve)
      .on("error", (error) => (response.complete ? resolve() : reject(error)));
  });
}

/**
 * Converts bytes of a receiver to text that is safe in a log or a terminal: characters that move the cursor, reverse the
 * direction or are invisible are escaped, and an incomplete last character is dropped.
 */
export const toExcerpt = (bytes: Uint8Array): string =>
  new TextDecoder()
    .decode(bytes, { stream: true })
    .replaceAll(
      /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu,
      (character) => short[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
    );

const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
