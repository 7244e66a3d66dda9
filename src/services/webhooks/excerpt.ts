/**
 * Returns bytes of a receiver as text for a log or a terminal: drops a character cut in the middle, and escapes
 * control, bidirectional and invisible characters.
 */
export const toExcerpt = (bytes: Uint8Array): string =>
  new TextDecoder()
    .decode(bytes, { stream: true })
    .replaceAll(
      /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu,
      (character) => short[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
    );

const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
