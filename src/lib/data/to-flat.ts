/** Shorter texts are not worth flattening; most writers add a few characters at a time. */
export const flatLength = 16_384;

/**
 * Returns the same text, flattened. V8 keeps concatenated text as a tree of its parts until it is read, and
 * garbage collection visits the whole tree every time: a writer that grows one text by a million parts takes
 * twice as long.
 */
export function toFlat(text: string): string {
  // A regular expression flattens its input, which then stays flat.
  return /[^]/.test(text) ? text : "";
}
