import { nameByte } from "../name-byte.ts";

export interface Base64Fault {
  message: string;
  offset: number;
}

/** The alphabet of standard base64, that of base64url, or both. */
export type Alphabet = "standard" | "url" | "any";

/**
 * Returns the first fault of base64 in an alphabet, if any. Line ends are allowed everywhere; unless it is strict, so is
 * other white space, and missing padding does not matter.
 */
export function findBase64Fault(
  text: Uint8Array,
  alphabet: Alphabet,
  strict: boolean,
): Base64Fault | undefined {
  const values = alphabets[alphabet];
  let sextets = 0;
  let last = 0;
  let lastAt = 0;
  let at = 0;
  for (; at < text.length; at++) {
    const byte = text[at] as number;
    const value = values[byte] as number;
    if (value < 64) {
      sextets++;
      last = value;
      lastAt = at;
    } else if (value === foreign || (strict && value === blank)) {
      if (byte === pad) break;
      return { message: toForeignMessage(byte, alphabet), offset: at };
    }
  }
  const rest = sextets % 4;
  if (at < text.length || rest !== 0) {
    const fault = findPaddingFault(text, at, rest, strict ? alphabet : "any");
    if (fault !== undefined) return fault;
  }
  const spare = rest === 2 ? last & 15 : rest === 3 ? last & 3 : 0;
  if (spare === 0) return undefined;
  return { message: "The last character has bits beyond the last byte; they must be zero.", offset: lastAt };
}

/**
 * Returns the end of the last group of four characters before the padding. Of a text that has another character, which is a fault,
 * it is the end of the text; those that are skipped count for nothing.
 */
export function endOfGroups(text: Uint8Array, alphabet: Alphabet, foreignIs: "skipped" | "fault"): number {
  const values = alphabets[alphabet];
  let sextets = 0;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const value = values[text[at] as number] as number;
    if (value < 64) {
      if ((++sextets & 3) === 0) end = at + 1;
    } else if (value === foreign && foreignIs === "fault") return text[at] === pad ? end : text.length;
  }
  return end;
}

const foreign = 255;
const lineEnd = 254;
const blank = 253;
const pad = 0x3d;

const alphabets = { standard: toValues("+/"), url: toValues("-_"), any: toValues("+/-_") };

/** @param last The last two characters of the alphabet; four are the same two twice. */
function toValues(last: string): Uint8Array {
  const values = new Uint8Array(256).fill(foreign);
  const alphabet = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${last}`;
  for (let at = 0; at < alphabet.length; at++) values[alphabet.charCodeAt(at)] = at < 64 ? at : at - 2;
  for (const byte of [0x0a, 0x0d]) values[byte] = lineEnd;
  for (const byte of [0x09, 0x0b, 0x0c, 0x20]) values[byte] = blank;
  return values;
}

/** @param rest Number of characters in the last, incomplete group of four, or 0. */
function findPaddingFault(
  text: Uint8Array,
  from: number,
  rest: number,
  alphabet: Alphabet,
): Base64Fault | undefined {
  const wanted = rest === 0 ? 0 : 4 - rest;
  let pads = 0;
  for (let at = from; at < text.length; at++) {
    const byte = text[at] as number;
    const value = standardOf(byte);
    if (value === lineEnd || (value === blank && alphabet === "any")) continue;
    if (byte !== pad)
      return { message: `Expected the end after the padding, found ${nameByte(byte)}.`, offset: at };
    pads++;
    if (rest !== 1 && pads > wanted) return { message: 'There is too much padding ("=").', offset: at };
  }
  if (rest === 1) {
    return {
      message: "The last group has one character; a byte needs at least two. Data is missing.",
      offset: from,
    };
  }
  if (pads === wanted || alphabet === "any" || (pads === 0 && alphabet === "url")) return undefined;
  return {
    message: `Padding ("=") is missing at the end: expected ${wanted}, found ${pads}.`,
    offset: text.length,
  };
}

const standardOf = (byte: number): number => alphabets.standard[byte] as number;

function toForeignMessage(byte: number, variant: Alphabet): string {
  const char = String.fromCharCode(byte);
  if (
    variant !== "any" &&
    (variant === "standard" ? char === "-" || char === "_" : char === "+" || char === "/")
  ) {
    const own = variant === "standard" ? "+ and /" : "- and _";
    return `${nameByte(byte)} belongs to the other variant; ${variant} base64 has ${own}.`;
  }
  return `Expected a character of the base64 alphabet, found ${nameByte(byte)}.`;
}
