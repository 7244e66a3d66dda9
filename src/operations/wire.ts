import type { Caller } from "../services/audit/caller.ts";
import { reasonOf } from "../storage/unavailable.ts";
import { ToolError, errorCodes } from "../catalog/errors.ts";
import type { ErrorCode, ErrorDetails } from "../catalog/errors.ts";

/** One line of JSON each way, in the order of the requests. */
export interface AdminRequest {
  operation: string;
  args: unknown;
  /** The caller as the client names it, which the server cannot verify. */
  caller?: Caller;
}

/** Asks a server for the URL that it listens on. It is no operation of the store, so nothing records it. */
export const addressOperation = "server.address";

export type AdminAnswer =
  | { result: unknown }
  | { error: { code: ErrorCode; message: string; details: ErrorDetails } };

/** Errors other than ToolErrors are bugs, whose text is only logged. */
export function toErrorAnswer(error: unknown): AdminAnswer {
  if (error instanceof ToolError) {
    return { error: { code: error.code, message: reasonOf(error), details: error.details } };
  }
  return { error: { code: "internal", message: "The server failed; its log says why.", details: {} } };
}

/** Returns the result of an answer, or throws the ToolError in it. */
export function fromAnswer(answer: unknown): unknown {
  if (typeof answer === "object" && answer !== null) {
    if ("error" in answer) {
      const { code, message, details } = answer.error as {
        code: string;
        message: string;
        details?: ErrorDetails;
      };
      // A server of another release may use codes that are unknown here.
      const known = Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : "internal";
      throw new ToolError(known, String(message), details);
    }
    if ("result" in answer) return answer.result;
  }
  throw new ToolError("internal", "The server sent an invalid answer.");
}

/**
 * Creates a reader that calls back with each complete line. It returns false, and reads no more, after a line longer
 * than `limit` characters.
 */
export function createLineReader(limit: number, onLine: (line: string) => void): (text: string) => boolean {
  let rest = "";
  let overflowed = false;
  return (text) => {
    if (overflowed) return false;
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    overflowed = rest.length > limit || lines.some((line) => line.length > limit);
    if (overflowed) return false;
    for (const line of lines) onLine(line);
    return true;
  };
}
