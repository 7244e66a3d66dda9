import { type ErrorPlace, ToolError } from "../catalog/errors.ts";
import { JsonError, type JsonProblem } from "../lib/json/problem.ts";
import { locate } from "../lib/json/position.ts";

/** The refusal of a document that is wrong at one byte; line and column are counted here. */
export function refuseAt(data: Uint8Array, offset: number, message: string): ToolError {
  return refusePlace({ message, ...locate(data, offset), offset });
}

/** Runs work of the JSON engine; what it finds wrong with the document is the caller's to mend. */
export function refusingJson<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof JsonError ? refusePlace(toPlace(error.problem)) : error;
  }
}

const toPlace = ({ message, pointer, line, column, offset }: JsonProblem): ErrorPlace => ({
  message,
  pointer,
  line,
  column,
  offset,
});

function refusePlace(place: ErrorPlace): ToolError {
  const message = `${place.message} (line ${place.line}, column ${place.column})`;
  return new ToolError("invalid_document", message, { errors: [place] });
}
