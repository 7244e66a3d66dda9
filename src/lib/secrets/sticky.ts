/** Returns the end of a sticky pattern's match at a place of a text, or -1. */
export function sticky(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
