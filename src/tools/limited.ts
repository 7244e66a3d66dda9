import { TooMuchInline } from "../catalog/inline.ts";
import type { ToolContext } from "../catalog/tool.ts";
import { DocumentFault } from "../lib/fault.ts";

/**
 * Runs work with a limit on the length of its result. On the event loop that is lower, and a longer result moves the call to
 * a worker.
 */
export function limited<T>(
  { inlineResultBytes = Infinity }: ToolContext,
  max: number,
  work: (max: number) => T,
): T {
  if (inlineResultBytes >= max) return work(max);
  try {
    return work(inlineResultBytes);
  } catch (error) {
    throw error instanceof DocumentFault && error.rule === "result-too-large" ? new TooMuchInline() : error;
  }
}
