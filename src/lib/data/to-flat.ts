/** So many characters are worth writing out; most writers add a few at a time. */
export const flatLength = 16_384;

/**
 * The same text, written out. V8 keeps a text that was added up as a tree of its parts, until somebody reads it, and garbage
 * collection goes through all of a tree again and again: a writer that lets one of a million parts grow takes twice the time.
 */
export function toFlat(text: string): string {
  // A pattern is given the text in one piece, and the text stays so.
  return /[^]/.test(text) ? text : "";
}
