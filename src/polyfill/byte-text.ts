const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function encodeHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += hexDigits[byte];
  return text;
}

/** Decodes pairs of digits up to the first that is none, as Node does. */
export function decodeHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length >> 1);
  for (let at = 0; at < bytes.length; at++) {
    const pair = text.slice(at * 2, at * 2 + 2);
    if (!/^[\da-f]{2}$/i.test(pair)) return bytes.slice(0, at);
    bytes[at] = Number.parseInt(pair, 16);
  }
  return bytes;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const codes = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
const urlCodes = Uint8Array.from(alphabet.replace("+/", "-_"), (character) => character.charCodeAt(0));
const padding = 0x3d;
const ascii = new TextDecoder();

/** @param url The URL-safe alphabet, without padding (RFC 4648, section 5). */
export function encodeBase64(bytes: Uint8Array, url: boolean): string {
  const table = url ? urlCodes : codes;
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(padding);
  let end = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const first = bytes[at] as number;
    const second = bytes[at + 1] ?? 0;
    const third = bytes[at + 2] ?? 0;
    text[end] = table[first >> 2] as number;
    text[end + 1] = table[((first & 3) << 4) | (second >> 4)] as number;
    if (at + 1 < bytes.length) text[end + 2] = table[((second & 15) << 2) | (third >> 6)] as number;
    if (at + 2 < bytes.length) text[end + 3] = table[third & 63] as number;
    end += 4;
  }
  const left = url ? (3 - (bytes.length % 3)) % 3 : 0;
  return ascii.decode(text.subarray(0, end - left));
}

const values = new Uint8Array(128).fill(64);
for (const table of [codes, urlCodes]) for (const [value, code] of table.entries()) values[code] = value;

/** Decodes both alphabets up to the first "=", and ignores all other characters, as Node does. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let end = 0;
  let bits = 0;
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === padding) break;
    const value = values[code] ?? 64;
    if (value === 64) continue;
    bits = ((bits << 6) | value) & 0xff_ff;
    kept += 6;
    if (kept < 8) continue;
    kept -= 8;
    bytes[end++] = bits >> kept;
  }
  return bytes.subarray(0, end);
}
