import { DocumentFault } from "../fault.ts";

/** The first half of a surrogate pair without the other, or -1. It is no character and has no UTF-8. */
export function findLoneSurrogate(text: string): number {
  return text.isWellFormed() ? -1 : text.search(/\p{Surrogate}/u);
}

/** @throws DocumentFault where the text has a lone surrogate. */
export function requireWellFormed(text: string): void {
  const index = findLoneSurrogate(text);
  if (index >= 0)
    throw new DocumentFault("Half of a surrogate pair stands alone; it is no character.", { index });
}
