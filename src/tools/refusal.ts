import { type ErrorPlace, ToolError } from "../catalog/errors.ts";
import { JsonError, type JsonProblem } from "../lib/json/problem.ts";
import { locate } from "../lib/json/position.ts";

/**
 * The refusal of a document that is wrong at one byte; line and column are counted here. `field` is where the document
 * came from if not from `data`.
 */
export function refuseAt(data: Uint8Array, offset: number, message: string, field?: string): ToolError {
  return refusePlace({ message, ...locate(data, offset), offset }, field);
}

/** Runs work of the JSON engine on a document; what it finds wrong with it is the caller's to mend. */
export function refusingJson<T>(work: () => T, field?: string): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof JsonError ? refusePlace(toPlace(error.problem), field) : error;
  }
}

/** The refusal of a document for what is at one place of it. */
export function refusePlace({ message: words, ...place }: ErrorPlace, field?: string): ToolError {
  const message = field === undefined ? words : `${field}: ${words}`;
  return new ToolError("invalid_document", `${message} (line ${place.line}, column ${place.column})`, {
    errors: [{ message, ...(field !== undefined && { field }), ...place }],
  });
}

const toPlace = ({ message, pointer, line, column, offset }: JsonProblem): ErrorPlace => ({
  message,
  pointer,
  line,
  column,
  offset,
});
