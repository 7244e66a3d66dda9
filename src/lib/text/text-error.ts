/** A text is at fault at one place of it, never the program. */
export class TextError extends Error {
  /** From 0, in UTF-16 code units of the text. */
  readonly index: number;

  constructor(message: string, index: number) {
    super(message);
    this.name = "TextError";
    this.index = index;
  }
}

/** The first half of a surrogate pair without the other, or -1. It is no character and has no UTF-8. */
export function findLoneSurrogate(text: string): number {
  return text.isWellFormed() ? -1 : text.search(/\p{Surrogate}/u);
}

/** @throws TextError where the text has a lone surrogate. */
export function requireWellFormed(text: string): void {
  const index = findLoneSurrogate(text);
  if (index >= 0) throw new TextError("Half of a surrogate pair stands alone; it is no character.", index);
}
