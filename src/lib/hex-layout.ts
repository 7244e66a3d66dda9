import { DocumentFault } from "./fault.ts";
import { nameByte } from "./name-byte.ts";
import { decodeHex } from "./hex.ts";

/** Two digits for each byte, with the separator between them. */
export function encodeHex(data: Uint8Array, separator: string, upper: boolean): string {
  const digits = upper ? data.toHex().toUpperCase() : data.toHex();
  if (separator === "" || data.length < 2) return digits;
  // Byte by byte into one buffer: millions of short strings would take seconds to join.
  const between = Buffer.from(separator);
  const step = 2 + between.length;
  const result = Buffer.allocUnsafe(data.length * step - between.length);
  for (let at = 0, to = 0; at < digits.length; at += 2, to += step) {
    if (at > 0)
      for (let index = 0; index < between.length; index++)
        result[to - between.length + index] = between[index] as number;
    result[to] = digits.charCodeAt(at);
    result[to + 1] = digits.charCodeAt(at + 1);
  }
  return result.toString();
}

/**
 * The bytes of pairs of digits with a separator between them; line ends between pairs are skipped. The
 * separator "auto" skips whatever usually stands there: spaces, tabs, `:`, `-`, `,`, `;` and the prefixes 0x, \x
 * and %.
 * @throws DocumentFault with the offset of the fault.
 */
export function decodeHexLayout(text: Uint8Array, separator: string): Uint8Array {
  if (separator === "") return decodeHex(text);
  return decodeHex(separator === "auto" ? withoutUsual(text) : without(text, Buffer.from(separator)));
}

/** The text with line ends, which the decoder skips, in place of what lies between pairs: offsets stay. */
function without(text: Uint8Array, separator: Uint8Array): Uint8Array {
  const result = Uint8Array.from(text);
  let at = skipLineEnds(text, 0);
  // What is no pair of digits is left for the decoder to refuse.
  while (isDigit(text[at]) && isDigit(text[at + 1])) {
    at += 2;
    const next = skipLineEnds(text, at);
    if (startsWith(text, separator, at)) {
      result.fill(lineEnd, at, at + separator.length);
      at += separator.length;
      if (at >= text.length) throw new DocumentFault("Nothing follows the last separator.", { offset: at });
    } else if (next < text.length && next === at) {
      const wanted = JSON.stringify(Buffer.from(separator).toString());
      throw new DocumentFault(`Expected the separator ${wanted}, found ${nameByte(text[at] as number)}.`, {
        offset: at,
      });
    }
    at = skipLineEnds(text, at);
  }
  return result;
}

function withoutUsual(text: Uint8Array): Uint8Array {
  const result = Uint8Array.from(text);
  for (let at = 0; at < text.length;) {
    const byte = text[at] as number;
    if (usual.includes(byte)) result[at++] = lineEnd;
    else if ((byte === 0x30 || byte === 0x5c) && ((text[at + 1] ?? 0) | 0x20) === 0x78) {
      result.fill(lineEnd, at, at + 2);
      at += 2;
    } else at += 2;
  }
  return result;
}

const lineEnd = 0x0a;
const usual = Buffer.from(" \t:-,;%\r\n");

function isDigit(byte = 0): boolean {
  return /[\da-f]/i.test(String.fromCharCode(byte));
}

function skipLineEnds(text: Uint8Array, from: number): number {
  let at = from;
  while (text[at] === 0x0a || text[at] === 0x0d) at++;
  return at;
}

function startsWith(text: Uint8Array, part: Uint8Array, at: number): boolean {
  return part.every((byte, index) => text[at + index] === byte);
}
