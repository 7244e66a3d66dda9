/** Returns a function that reports whether a text contains every word of a search; case does not matter. */
export function searchFor(search: string): (text: string) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return (text) => {
    const folded = text.toLowerCase();
    return words.every((word) => folded.includes(word));
  };
}
