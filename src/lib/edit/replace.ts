/** Replaces the characters from `from` to before `to`, in UTF-16 code units, by a text. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Compares edits by their order in the text. */
export const byPlace = (a: Pick<Edit, "from" | "to">, b: Pick<Edit, "from" | "to">): number =>
  a.from - b.from || a.to - b.to;

/**
 * Returns the text with all edits made. They are in text order and do not overlap; insertions at the same place keep their order.
 * @throws RangeError if an edit begins before the end of the previous one, or lies outside of the text.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, text: replacement } of edits) {
    if (from < at || to < from || to > text.length)
      throw new RangeError(`An edit of ${from} to ${to} is not possible after one that ends at ${at}.`);
    parts.push(text.slice(at, from), replacement);
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
