/** Returns `1 file`, `2 files`: a number with its noun. */
export const counted = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;
