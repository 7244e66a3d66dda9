/** Joins `a`, `b` and `c` with a word before the last: "a, b or c". */
export const joinWords = (words: readonly string[], word = "or"): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${word} ${words.at(-1)}`;
