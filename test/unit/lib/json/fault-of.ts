import { DocumentFault, type FaultPlace } from "../../../../src/lib/fault.ts";
import { placesOf } from "../../../../src/lib/places.ts";

export interface FoundFault extends FaultPlace {
  message: string;
  rule: string;
  line: number;
  column: number;
}

/** Runs an action on a document. Returns the fault that it throws, if any; throws any other error. */
export function faultOf(document: string | Uint8Array, action: () => unknown): FoundFault | undefined {
  try {
    action();
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const [{ line, column } = { line: 1, column: 1 }] = placesOf(document, [error.at]);
    return { message: error.message, rule: error.rule, ...error.at, line, column };
  }
  return undefined;
}
