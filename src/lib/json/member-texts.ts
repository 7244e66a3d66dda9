import { skipSpace } from "./members.ts";

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;

/**
 * Returns the string members with these names of a JSON object, in one pass and without building other
 * values: a megabyte of `[],[],…` would become fifty. The last of equal names wins, as in `JSON.parse`. A
 * document that is not an object has no members; one that is not JSON may have some.
 */
export function memberTexts(data: Uint8Array, names: readonly string[]): Map<string, string> {
  /** Position of the last string of each name; only that one is decoded, however often the name repeats. */
  const found = new Map<string, readonly [from: number, to: number]>();
  const start = skipSpace(data, 0);
  if (data[start] !== 0x7b) return new Map();
  let depth = 1;
  let name: string | undefined;
  for (let at = start + 1; at < data.length && depth > 0; at++) {
    const byte = data[at] as number;
    if (byte === quote) {
      const end = endOfString(data, at);
      if (end === -1) return new Map();
      if (depth === 1) {
        const next = skipSpace(data, end);
        // A colon follows a key and never a value.
        if (data[next] === colon) {
          name = nameAt(data, at, end, names);
          if (name !== undefined) found.delete(name);
        } else if (name !== undefined) {
          found.set(name, [at, end]);
        }
      }
      at = end - 1;
    } else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === comma && depth === 1) name = undefined;
  }
  if (depth !== 0) return new Map();
  const texts = Array.from(found, ([key, [from, to]]) => [key, decode(data, from, to)] as const);
  return new Map(texts.filter((text): text is readonly [string, string] => text[1] !== undefined));
}

/** Returns the offset after the closing quote, or -1 if there is none. */
function endOfString(data: Uint8Array, from: number): number {
  // Most strings are short: `indexOf` would take longer to start than to scan them.
  const near = Math.min(from + 32, data.length);
  for (let at = from + 1; at < near && data[at] !== backslash; at++) if (data[at] === quote) return at + 1;
  for (let at = data.indexOf(quote, from + 1); at !== -1; at = data.indexOf(quote, at + 1)) {
    let before = at;
    while (data[before - 1] === backslash) before--;
    // After an odd number of backslashes the quote is part of the string.
    if ((at - before) % 2 === 0) return at + 1;
  }
  return -1;
}

function nameAt(data: Uint8Array, from: number, to: number, names: readonly string[]): string | undefined {
  for (const name of names) if (isName(data, from + 1, to - 1, name)) return name;
  return undefined;
}

/**
 * Reports whether these bytes are the name, in ASCII letters, any of which may be written as `\u0061`. It
 * does not throw: an exception for each bad name in a megabyte of them would block for a second.
 */
function isName(data: Uint8Array, from: number, to: number, name: string): boolean {
  let at = from;
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    if (at < to && data[at] === code) at += 1;
    else if (at + 6 <= to && data[at] === backslash && isEscape(data, at, code)) at += 6;
    else return false;
  }
  return at === to;
}

function isEscape(data: Uint8Array, at: number, code: number): boolean {
  const hex = code.toString(16).padStart(4, "0");
  if (data[at + 1] !== 0x75) return false;
  // Setting this bit keeps digits and lowers capital letters.
  for (let digit = 0; digit < 4; digit++)
    if (((data[at + 2 + digit] as number) | 0x20) !== hex.charCodeAt(digit)) return false;
  return true;
}

function decode(data: Uint8Array, from: number, to: number): string | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data.subarray(from, to))) as string;
  } catch {
    return undefined;
  }
}
