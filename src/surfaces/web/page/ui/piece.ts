/** A stretch of a text and its colour. */
export interface Piece {
  text: string;
  /** Undefined for the colour of text. */
  kind?: "key" | "string" | "number" | "word" | "part-1" | "part-2" | "part-3" | undefined;
}

/** Longest text that is coloured, in UTF-16 code units: each key draws all of its pieces. */
export const maxColoured = 5000;
