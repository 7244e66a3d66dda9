/**
 * Returns the number of bytes of the byte order mark (U+FEFF) with which a document begins: 3 or 0. Nobody must add one, and a parser may
 * ignore it (RFC 8259, section 8.1).
 */
export const markLength = (bytes: Uint8Array): 0 | 3 =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;

export const withoutMark = (text: string): string => (text.startsWith("\ufeff") ? text.slice(1) : text);
