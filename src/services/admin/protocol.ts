import type { Caller } from "../audit/caller.ts";
import { StoreError } from "../storage/errors.ts";
import { ToolError, errorCodes } from "../../catalog/errors.ts";
import type { ErrorCode, ErrorDetails } from "../../catalog/errors.ts";

/** One line of JSON each way, in the order of the requests. */
export interface AdminRequest {
  operation: string;
  args: unknown;
  /** Who asks, as they say themselves. */
  caller?: Caller;
}

export type AdminAnswer =
  | { result: unknown }
  | { error: { code: ErrorCode; message: string; details: ErrorDetails } };

/** Anything but a ToolError is a bug: its text stays in the log. */
export function toErrorAnswer(error: unknown): AdminAnswer {
  if (error instanceof ToolError) {
    return { error: { code: error.code, message: reasonOf(error), details: error.details } };
  }
  return { error: { code: "internal", message: "The server failed; its log says why.", details: {} } };
}

/** What the operator is told of a refusal: where the store is at fault, all of it, and not the sentence for callers. */
export const reasonOf = ({ cause, message }: ToolError): string =>
  cause instanceof StoreError ? cause.reason : message;

/** The result in an answer; throws the ToolError that is in it instead. */
export function fromAnswer(answer: unknown): unknown {
  if (typeof answer === "object" && answer !== null) {
    if ("error" in answer) {
      const { code, message, details } = answer.error as {
        code: string;
        message: string;
        details?: ErrorDetails;
      };
      // A server of another release may know codes that this one does not.
      const known = Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : "internal";
      throw new ToolError(known, String(message), details);
    }
    if ("result" in answer) return answer.result;
  }
  throw new ToolError("internal", "The server gave an answer that is none.");
}

/**
 * Calls back with each whole line of a stream of text. Returns false, and takes no more, when a line is longer
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
