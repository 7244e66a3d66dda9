import { isUtf8 } from "node:buffer";
import { EncodingError } from "./encoding-error.ts";
import { findInvalidUtf8 } from "./json/utf8.ts";
import { requireWellFormed } from "./text/text-error.ts";

export const percentModes = ["component", "form", "uri", "rfc3986"] as const;

export type PercentMode = (typeof percentModes)[number];

/**
 * Percent-encodes the UTF-8 of a text. component: all but letters, digits and -_.!~*'(); rfc3986: all but its
 * unreserved characters, letters, digits and -._~ (§2.3); form: application/x-www-form-urlencoded of the URL
 * Standard; uri: keeps what has a meaning in a whole URI.
 * @throws TextError where the text has a lone surrogate.
 */
export function encodePercent(text: string, mode: PercentMode): string {
  requireWellFormed(text);
  if (mode === "uri") return encodeURI(text);
  const component = encodeURIComponent(text);
  if (mode === "component") return component;
  if (mode === "rfc3986") return component.replaceAll(/[!'()*]/g, toEscape);
  return component.replaceAll(/[!'()~]/g, toEscape).replaceAll("%20", "+");
}

const toEscape = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/**
 * The text that percent-encoded UTF-8 stands for. `uri` leaves the escapes of the reserved characters
 * (; / ? : @ & = + $ , #) as they are, because decoded they would mean something else.
 * @throws EncodingError with the offset of an escape that is none or whose bytes are not UTF-8.
 */
export function decodePercent(text: Uint8Array, keepReserved: boolean, plusAsSpace: boolean): string {
  const result = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number;
    if (byte === 0x2b && plusAsSpace) result[length++] = 0x20;
    else if (byte !== 0x25) result[length++] = byte;
    else {
      const decoded = readEscape(text, at);
      if (keepReserved && reserved.includes(decoded)) {
        result.set(text.subarray(at, at + 3), length);
        length += 3;
      } else result[length++] = decoded;
      at += 2;
    }
  }
  const decoded = result.subarray(0, length);
  if (isUtf8(decoded)) return decoded.toString();
  const fault = findInvalidUtf8(decoded);
  throw new EncodingError(
    `The decoded bytes are not UTF-8: 0x${(decoded[fault] ?? 0).toString(16)} begins no character.`,
    sourceOf(text, fault, keepReserved),
  );
}

const reserved = Buffer.from(";/?:@&=+$,#");

function readEscape(text: Uint8Array, at: number): number {
  const high = digitOf(text[at + 1]);
  const low = digitOf(text[at + 2]);
  if (high < 0 || low < 0) {
    throw new EncodingError('"%" must be followed by two hexadecimal digits; a plain "%" is %25.', at);
  }
  return (high << 4) | low;
}

function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Where in the encoded text the decoded byte number `wanted` comes from. */
function sourceOf(text: Uint8Array, wanted: number, keepReserved: boolean): number {
  let at = 0;
  for (let decoded = 0; decoded < wanted; decoded++) {
    const escape = text[at] === 0x25;
    // A kept escape is three bytes of the result, each of them one of the text.
    if (escape && !(keepReserved && reserved.includes(readEscape(text, at)))) at += 3;
    else at++;
  }
  return at;
}
