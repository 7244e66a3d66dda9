import type { ToolError } from "../catalog/errors.ts";
import { TextError } from "../lib/text/text-error.ts";
import { refuseAt } from "./refusal.ts";

/** Runs work on the text of `data`; what it finds wrong with the text is the caller's to mend. */
export function refusingText<T>(data: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof TextError ? refuseAtIndex(data, error.index, error.message) : error;
  }
}

/** The refusal of a text, of `field` where that is not `data`, that is wrong at one UTF-16 code unit. */
export function refuseAtIndex(data: string, index: number, message: string, field?: string): ToolError {
  return refuseAt(Buffer.from(data), Buffer.byteLength(data.slice(0, index)), message, field);
}
