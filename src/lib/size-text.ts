/** "134,217,728 bytes (128 MiB)" */
export const sizeText = (bytes: number): string =>
  `${bytes.toLocaleString("en-US")} bytes (${Math.round(bytes / 1_048_576).toLocaleString("en-US")} MiB)`;

/** "a.json is too large: it has 134,217,729 bytes (128 MiB), and json-sorter takes at most …" */
export const tooLargeText = (shown: string, size: string, limit: number, taker: string): string =>
  `${shown} is too large: it has ${size}, and ${taker} takes at most ${sizeText(limit)}.`;
