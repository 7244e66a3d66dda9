import { nameByte } from "../name-byte.ts";

export interface Base64Fault {
  message: string;
  offset: number;
}

/** Returns the first fault of strict base64 in one variant, if any. Line ends are allowed everywhere. */
export function findBase64Fault(text: Uint8Array, variant: "standard" | "url"): Base64Fault | undefined {
  const values = variant === "url" ? urlValues : standardValues;
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
    } else if (value === foreign) {
      if (byte === pad) break;
      return { message: toForeignMessage(byte, variant), offset: at };
    }
  }
  const rest = sextets % 4;
  if (at < text.length || rest !== 0) {
    const fault = findPaddingFault(text, at, rest, variant);
    if (fault !== undefined) return fault;
  }
  const spare = rest === 2 ? last & 15 : rest === 3 ? last & 3 : 0;
  if (spare === 0) return undefined;
  return { message: "The last character has bits beyond the last byte; they must be zero.", offset: lastAt };
}

const foreign = 255;
const lineEnd = 254;
const pad = 0x3d;

const standardValues = toValues("+/");
const urlValues = toValues("-_");

function toValues(lastTwo: string): Uint8Array {
  const values = new Uint8Array(256).fill(foreign);
  const alphabet = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${lastTwo}`;
  for (let value = 0; value < 64; value++) values[alphabet.charCodeAt(value)] = value;
  values[0x0a] = lineEnd;
  values[0x0d] = lineEnd;
  return values;
}

/** @param rest Number of characters in the last, incomplete group of four, or 0. */
function findPaddingFault(
  text: Uint8Array,
  from: number,
  rest: number,
  variant: "standard" | "url",
): Base64Fault | undefined {
  const wanted = rest === 0 ? 0 : 4 - rest;
  let pads = 0;
  for (let at = from; at < text.length; at++) {
    const byte = text[at] as number;
    if (byte === 0x0a || byte === 0x0d) continue;
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
  if (pads === wanted || (pads === 0 && variant === "url")) return undefined;
  const hint =
    pads === 0
      ? ' For base64url without padding set variant to "url"; to accept any, set strict to false.'
      : "";
  return {
    message: `Padding ("=") is missing at the end: expected ${wanted}, found ${pads}.${hint}`,
    offset: text.length,
  };
}

function toForeignMessage(byte: number, variant: "standard" | "url"): string {
  const char = String.fromCharCode(byte);
  if (variant === "standard" ? char === "-" || char === "_" : char === "+" || char === "/") {
    const own = variant === "standard" ? "+ and /" : "- and _";
    return `${nameByte(byte)} belongs to the other variant; ${variant} base64 has ${own}.`;
  }
  return `Expected a character of the base64 alphabet, found ${nameByte(byte)}.`;
}
