import { DocumentFault } from "../fault.ts";

/** Returns the index of the first lone surrogate, which is not a character and has no UTF-8, or -1. */
export function findLoneSurrogate(text: string): number {
  return text.isWellFormed() ? -1 : text.search(/\p{Surrogate}/u);
}

/** @throws DocumentFault if the text contains a lone surrogate. */
export function requireWellFormed(text: string): void {
  const index = findLoneSurrogate(text);
  if (index >= 0) throw new DocumentFault("A lone surrogate is not a character; repair the text.", { index });
}
