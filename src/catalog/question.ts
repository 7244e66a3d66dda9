import { joinWords } from "../lib/join-words.ts";

/** Writes suggestions as a question: "Did you mean a, b or c?"; undefined for none. */
export function toQuestion(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `Did you mean ${joinWords(names)}?`;
}
