/**
 * Bytes of a receiver as text for a log or a terminal: a character that was cut in the middle is left out, and what would
 * move a cursor, turn a line around or not be seen is written as an escape.
 */
export const toExcerpt = (bytes: Uint8Array): string =>
  new TextDecoder()
    .decode(bytes, { stream: true })
    .replaceAll(
      /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu,
      (character) => short[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
    );

const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
