import type { Mark } from "../editor/marks.ts";
import { isInDocument } from "./refused.tsx";
import type { Outcome } from "./runner.ts";

/** A place in the document, in lines and code points from 1. */
export interface Place {
  line: number;
  column: number;
}

/** Returns the places in the document of what a tool said, in its order. */
export function placesOf(outcome: Outcome): readonly Mark[] {
  if (outcome.kind === "answer") return outcome.report?.errors ?? none;
  if (outcome.kind === "none") return none;
  const { message, places } = outcome.refusal;
  return places
    .filter(isInDocument)
    .map(({ line = 1, column = 1 }) => ({ line, column, message, severity: "error" as const }));
}

/** Always the same, so that a page without places is not drawn again. */
const none: readonly Mark[] = [];
