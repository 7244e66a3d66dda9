import { DocumentFault } from "./fault.ts";
import { isUtf8 } from "node:buffer";
import { type Charset, createCharsetDecoder } from "./charset.ts";
import { findInvalidUtf8 } from "./json/utf8.ts";
import { replaceCharacters } from "./text/replace-characters.ts";
import { requireWellFormed } from "./text/well-formed.ts";

export const percentModes = ["component", "form", "uri", "rfc3986"] as const;

export type PercentMode = (typeof percentModes)[number];

/**
 * Percent-encodes the UTF-8 of a text. component: all except letters, digits and -_.!~*'(); rfc3986: all
 * except its unreserved characters, letters, digits and -._~ (§2.3); form: application/x-www-form-urlencoded
 * of the URL Standard; uri: keeps characters with a meaning in a whole URI.
 * @throws DocumentFault if the text contains a lone surrogate.
 */
export function encodePercent(text: string, mode: PercentMode): string {
  requireWellFormed(text);
  if (mode === "uri") return encodeURI(text);
  const component = encodeURIComponent(text);
  if (mode === "component") return component;
  if (mode === "rfc3986") return replaceCharacters(component, /[!'()*]/g, toEscape);
  return replaceCharacters(component, /[!'()~]/g, toEscape).replaceAll("%20", "+");
}

const toEscape = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/**
 * Decodes percent-encoded UTF-8. `uri` keeps the escapes of reserved characters (; / ? : @ & = + $ , #),
 * because decoding would change their meaning. The text may be a part of other text, `from` to `to`.
 * @throws DocumentFault with the offset of an escape that is invalid or whose bytes are not UTF-8.
 */
export function decodePercent(
  text: Uint8Array,
  keepReserved: boolean,
  plusAsSpace: boolean,
  from = 0,
  to = text.length,
): string {
  const result = to - from <= scratch.length ? scratch : Buffer.allocUnsafe(to - from);
  let length = 0;
  let ascii = true;
  for (let at = from; at < to; at++) {
    let byte = text[at] as number;
    if (byte === 0x2b && plusAsSpace) byte = 0x20;
    else if (byte === 0x25) {
      byte = readEscape(text, at, to);
      if (keepReserved && reserved.includes(byte)) {
        result[length++] = 0x25;
        result[length++] = text[at + 1] as number;
        byte = text[at + 2] as number;
      }
      at += 2;
    }
    ascii &&= byte < 0x80;
    result[length++] = byte;
  }
  if (ascii) return result.toString("latin1", 0, length);
  const decoded = result.subarray(0, length);
  if (isUtf8(decoded)) return decoded.toString();
  const fault = findInvalidUtf8(decoded);
  throw new DocumentFault(
    `The decoded bytes are not UTF-8: 0x${(decoded[fault] ?? 0).toString(16)} does not begin a character.`,
    { offset: sourceOf(text, fault, keepReserved, from) },
  );
}

/**
 * Decodes percent-encoded text in another character set. Characters outside of ASCII that are not escaped stay as they
 * are; the text between them is decoded as a whole, because the second byte of a character may be an ASCII letter.
 * @throws DocumentFault with the place of an invalid escape, or of the text whose bytes are not in the character set.
 */
export function decodePercentIn(
  text: string,
  charset: Charset,
  { keepReserved, plusAsSpace }: { keepReserved: boolean; plusAsSpace: boolean },
): string {
  const decode = createCharsetDecoder(charset);
  return text.replaceAll(/[\0-\x7f]+/g, (part, index: number) => {
    if (!part.includes("%")) return plusAsSpace ? part.replaceAll("+", " ") : part;
    const bytes = Buffer.from(part, "latin1");
    let length = 0;
    for (let at = 0; at < bytes.length; at++) {
      let byte = bytes[at] as number;
      if (byte === 0x2b && plusAsSpace) byte = 0x20;
      else if (byte === 0x25) {
        const escaped = readEscapeAt(bytes, at, index);
        if (!(keepReserved && reserved.includes(escaped))) {
          byte = escaped;
          at += 2;
        }
      }
      // Decodes in place, because the result is never longer.
      bytes[length++] = byte;
    }
    const decoded = decode(bytes.subarray(0, length));
    if (decoded !== undefined) return decoded;
    throw new DocumentFault(`The decoded bytes are not text in ${charset}.`, {
      index: index + part.indexOf("%"),
    });
  });
}

/** Reads an escape of a part of a text that begins at `index`. */
function readEscapeAt(bytes: Uint8Array, at: number, index: number): number {
  const high = digitOf(bytes[at + 1]);
  const low = digitOf(bytes[at + 2]);
  if (high < 0 || low < 0) throw new DocumentFault(invalidEscape, { index: index + at });
  return (high << 4) | low;
}

/**
 * Scratch memory for short texts: a query has thousands, and a buffer or a view for each would take most of
 * the time.
 */
const scratch = Buffer.allocUnsafeSlow(1024);

/** Decodes the query of a URL like browsers: malformed escapes stay, and malformed UTF-8 becomes U+FFFD. */
export function decodePercentLeniently(text: string): string {
  if (!text.includes("%")) return text;
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const high = byte === 0x25 ? digitOf(bytes[at + 1]) : -1;
    const low = byte === 0x25 ? digitOf(bytes[at + 2]) : -1;
    // Decodes in place, because the result is never longer.
    bytes[length++] = high < 0 || low < 0 ? byte : (high << 4) | low;
    if (high >= 0 && low >= 0) at += 2;
  }
  return bytes.toString("utf8", 0, length);
}

const invalidEscape = '"%" must be followed by two hexadecimal digits; a plain "%" is %25.';

const reserved = Buffer.from(";/?:@&=+$,#");

function readEscape(text: Uint8Array, at: number, to = text.length): number {
  const high = digitOf(text[at + 1]);
  const low = digitOf(text[at + 2]);
  if (high < 0 || low < 0 || at + 2 >= to) {
    throw new DocumentFault(invalidEscape, { offset: at });
  }
  return (high << 4) | low;
}

function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Returns the offset in the encoded text of the decoded byte number `wanted`. */
function sourceOf(text: Uint8Array, wanted: number, keepReserved: boolean, from: number): number {
  let at = from;
  for (let decoded = 0; decoded < wanted; decoded++) {
    const escape = text[at] === 0x25;
    // A kept escape is three bytes in the result and in the text.
    if (escape && !(keepReserved && reserved.includes(readEscape(text, at)))) at += 3;
    else at++;
  }
  return at;
}
