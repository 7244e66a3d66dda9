import { DocumentFault } from "./fault.ts";
import { nameByte } from "./name-byte.ts";

/**
 * Decodes pairs of hexadecimal digits (RFC 4648 §8, either case); skips line ends between pairs.
 * @throws DocumentFault with the offset of the first invalid byte.
 */
export function decodeHex(text: Uint8Array): Uint8Array {
  const result = new Uint8Array(text.length >> 1);
  let length = 0;
  let high = -1;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number;
    const digit = digitOf(byte);
    if (digit < 0) {
      if (high < 0 && (byte === 0x0a || byte === 0x0d)) continue;
      throw new DocumentFault(`Expected a hexadecimal digit, found ${nameByte(byte)}.`, { offset: at });
    }
    if (high < 0) high = digit;
    else {
      result[length++] = (high << 4) | digit;
      high = -1;
    }
  }
  if (high >= 0) throw new DocumentFault("The last byte has only one digit.", { offset: text.length });
  return length === result.length ? result : result.slice(0, length);
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
