import { type ErrorCode, type ErrorDetails, ToolError } from "./errors.ts";
import type { Answer, Call } from "./execute.ts";

/** A request to a worker: to run a call, or to free the memory that calls have left behind. */
export type RemoteRequest = { kind: "call"; call: Call } | { kind: "tidy" };

/** A message of a worker: first that it is ready, then one for each call. */
export type RemoteMessage =
  | { kind: "ready" }
  | { kind: "answer"; answer: Answer }
  | { kind: "refusal"; code: ErrorCode; message: string; details: ErrorDetails }
  /** The stack is logged and never shown to the caller. */
  | { kind: "bug"; message: string; stack: string }
  /** The last message of a worker process: something failed outside of a call, and the parent is to kill it. */
  | { kind: "end"; message: string; stack: string };

/** The connection of a worker to its starter: the thread or the process that sends requests and receives messages. */
export interface RemotePort {
  send(message: RemoteMessage, transfer?: ArrayBuffer[]): void;
  /** Reports that the worker is ready, and passes it one request after the other. */
  serve(handle: (request: RemoteRequest) => Promise<void>): void;
}

/** Converts an error to a message: errors lose their class between threads. */
export function fromError(error: unknown): RemoteMessage {
  if (error instanceof ToolError) {
    return { kind: "refusal", code: error.code, message: error.message, details: error.details };
  }
  if (isOutOfMemory(error)) {
    const message = "The tool needs more memory than there is for one result. Send a smaller document.";
    return { kind: "refusal", code: "memory_exceeded", message, details: {} };
  }
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { kind: "bug", message, stack };
}

/** Reports whether V8 threw this because a string or buffer would be too large; it does not end the thread for that. */
function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof RangeError))
    return error instanceof Error && "code" in error && error.code === "ERR_STRING_TOO_LONG";
  return /^(?:Array buffer allocation failed|Invalid (?:string|array|typed array) length|Array length)/.test(
    error.message,
  );
}

/** @throws the error of the other thread. */
export function toAnswer(message: Exclude<RemoteMessage, { kind: "ready" }>): Answer {
  if (message.kind === "answer") return message.answer;
  if (message.kind === "refusal") throw new ToolError(message.code, message.message, message.details);
  throw toError(message);
}

export function toError({ message, stack }: { message: string; stack: string }): Error {
  const error = new Error(message);
  error.stack = stack;
  return error;
}

/**
 * Returns the buffer of bytes for transfer without a copy, if nothing else uses it. A view of part of a buffer, such as a
 * small Buffer from the pool, is copied instead: the transfer would empty the other views.
 */
export function toTransfer(bytes: Uint8Array): ArrayBuffer[] {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength && bytes.byteLength > 0
    ? [buffer]
    : [];
}
