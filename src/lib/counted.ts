/** Returns `1 file`, `2 files`: a number with its noun. */
export const counted = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : plural}`;
