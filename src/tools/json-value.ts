import { type ErrorPlace, ToolError } from "../catalog/errors.ts";
import { DataError } from "../lib/data/data-error.ts";
import { fromJson } from "../lib/data/from-json.ts";
import { toJson } from "../lib/data/to-json.ts";
import type { Value } from "../lib/data/value.ts";
import { findPointers } from "../lib/json/find-pointers.ts";
import { locateAll } from "../lib/json/position.ts";
import { JsonError } from "../lib/json/problem.ts";
import { refusingJson } from "./refusal.ts";

/** Reads a JSON document; `what` names the field where it is not `data`. @throws ToolError invalid_document */
export function readValue(text: string, what?: string): Value {
  return refusingJson(() => {
    try {
      return fromJson(text);
    } catch (error) {
      if (what === undefined || !(error instanceof JsonError)) throw error;
      throw new JsonError({ ...error.problem, message: `${what}: ${error.problem.message}` });
    }
  });
}

/** The JSON text of a result. @throws ToolError invalid_document where it grows beyond all measure. */
export function writeValue(value: Value, indent = 2): string {
  try {
    return toJson(value, indent);
  } catch (error) {
    throw error instanceof DataError ? new ToolError("invalid_document", error.message) : error;
  }
}

/** The refusal of a valid JSON document for what it says at `pointer`. */
export function refuseValueAt(text: string, pointer: string, message: string): ToolError {
  const [place] = placesOf(text, [{ pointer }]);
  const error: ErrorPlace = { ...place, message };
  const where = `(line ${error.line}, column ${error.column})`;
  return new ToolError("invalid_document", `${message} ${where}`, { errors: [error] });
}

/** Adds line, column and offset to whatever points into a valid JSON document. */
export function placesOf<T extends { pointer: string }>(
  text: string,
  found: readonly T[],
): (T & { line: number; column: number; offset: number })[] {
  const bytes = Buffer.from(text);
  const offsets = findPointers(
    bytes,
    found.map(({ pointer }) => pointer),
  );
  const positions = locateAll(bytes, offsets);
  return found.map((one, index) => ({
    ...one,
    ...(positions[index] as { line: number; column: number }),
    offset: offsets[index] as number,
  }));
}
