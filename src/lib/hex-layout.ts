import { DocumentFault, unlessFault } from "./fault.ts";
import { nameByte } from "./name-byte.ts";
import { dumpHead, mayBeHexDump, readHexDump } from "./hex-dump.ts";

/** Writes two digits per byte, joined by the separator. */
export function encodeHex(data: Uint8Array, separator: string, upper: boolean): string {
  const digits = upper ? data.toHex().toUpperCase() : data.toHex();
  if (separator === "" || data.length < 2) return digits;
  // One buffer: joining millions of short strings would take seconds.
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
 * Decodes pairs of digits joined by a separator; skips line ends between pairs. The separator "auto" skips
 * the usual ones: white space, `:`, `-`, `,`, `;` and the prefixes 0x, \x and %, and reads dumps of xxd and other programs.
 * @throws DocumentFault with the offset of the fault.
 */
export function decodeHexLayout(text: Uint8Array, separator: string): Uint8Array {
  if (separator === "") return decodeHex(text);
  if (separator !== "auto") return decodeHex(without(text, Buffer.from(separator)));
  return readHexDump(text) ?? decodeHex(withoutUsual(text));
}

/** Decodes digits that arrive in parts. */
export interface HexParts {
  /** Returns the length of what can be decoded without what follows, 0 if nothing can. */
  cut(bytes: Uint8Array): number;
  /** Decodes a part. @throws DocumentFault with the offset of the fault in the part. */
  decode(part: Uint8Array): Uint8Array;
}

/**
 * Returns what decodes parts to what `decodeHexLayout` returns for all of them; undefined for a named separator. What looks like a dump is one
 * part.
 */
export function createHexParts(separator: string): HexParts | undefined {
  if (separator === "") return { cut: endOfPairs, decode: decodeHex };
  if (separator !== "auto") return undefined;
  let isPlain = false;
  return {
    cut(bytes) {
      if (!isPlain && (bytes.length < dumpHead || mayBeHexDump(bytes))) return 0;
      isPlain = true;
      return endOfUnits(bytes);
    },
    decode: (part) => (isPlain ? decodeHex(withoutUsual(part)) : decodeHexLayout(part, "auto")),
  };
}

/** Returns the end of the last whole pair of digits, or of a text that has something else. */
function endOfPairs(text: Uint8Array): number {
  let high = false;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number;
    const isEnd = byte === 0x0a || byte === 0x0d;
    if (digitOf(byte) < 0 && (high || !isEnd)) return text.length;
    if (!isEnd) high = !high;
    if (!high) end = at + 1;
  }
  return end;
}

/** Returns the end of the last unit that `withoutUsual` reads. */
function endOfUnits(text: Uint8Array): number {
  let at = 0;
  while (at < text.length) {
    if (usual.includes(text[at] as number)) at++;
    else if (at + 2 <= text.length) at += 2;
    else break;
  }
  return at;
}

/** Returns whether a text that one separator refuses has the usual ones. */
export const hasUsualSeparators = (text: Uint8Array): boolean =>
  unlessFault(() => decodeHex(withoutUsual(text))) !== undefined;

/** Replaces separators with line ends, which the decoder skips: offsets stay valid. */
function without(text: Uint8Array, separator: Uint8Array): Uint8Array {
  const result = Uint8Array.from(text);
  let at = skipLineEnds(text, 0);
  // The decoder refuses everything that is not a pair of digits.
  while (isDigit(text[at]) && isDigit(text[at + 1])) {
    at += 2;
    const next = skipLineEnds(text, at);
    if (startsWith(text, separator, at)) {
      result.fill(lineEnd, at, at + separator.length);
      at += separator.length;
      if (at >= text.length)
        throw new DocumentFault("The last separator needs two digits after it.", { offset: at });
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
const usual = Buffer.from(" \t\v\f:-,;%\r\n");

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

/**
 * Decodes pairs of hexadecimal digits (RFC 4648 §8, either case); skips line ends between pairs.
 * @throws DocumentFault with the offset of the first invalid byte.
 */
function decodeHex(text: Uint8Array): Uint8Array {
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
