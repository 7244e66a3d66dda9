/**
 * Encodings of the WHATWG Encoding Standard by name, and real ISO-8859-1, which the standard maps to
 * windows-1252.
 */
export const charsets = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "iso-8859-1",
  "iso-8859-2",
  "iso-8859-3",
  "iso-8859-4",
  "iso-8859-5",
  "iso-8859-6",
  "iso-8859-7",
  "iso-8859-8",
  "iso-8859-10",
  "iso-8859-13",
  "iso-8859-14",
  "iso-8859-15",
  "iso-8859-16",
  "windows-874",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "ibm866",
  "koi8-r",
  "koi8-u",
  "macintosh",
  "x-mac-cyrillic",
  "gbk",
  "gb18030",
  "big5",
  "euc-jp",
  "iso-2022-jp",
  "shift_jis",
  "euc-kr",
] as const;

export type Charset = (typeof charsets)[number];

/** Decodes bytes, or returns undefined if they are invalid in the charset. Removes a byte order mark. */
export const decodeCharset = (bytes: Uint8Array, charset: Charset): string | undefined =>
  createCharsetDecoder(charset)(bytes);

/** Like `decodeCharset`, for many pieces: creating a decoder takes longer than using it. */
export function createCharsetDecoder(charset: Charset): (bytes: Uint8Array) => string | undefined {
  if (charset === "iso-8859-1")
    return (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const decoder = new TextDecoder(charset, { fatal: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  };
}
