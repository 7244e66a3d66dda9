const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;

/**
 * The members of these names of a JSON object that are texts, in one look at the bytes and without making values of all
 * that is in them: a megabyte of `[],[],…` would become fifty. Of two that have the same name the last one counts, as for
 * `JSON.parse`. What is no object has none; a document that is no JSON may have some.
 */
export function memberTexts(data: Uint8Array, names: readonly string[]): Map<string, string> {
  /** Where the last text of each lies: only that one is decoded, however often a name comes. */
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
        // A key is followed by a colon, a value by anything else.
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

/** Behind the closing quote; -1 where there is none. */
function endOfString(data: Uint8Array, from: number): number {
  // Most are short: a search of the engine's own would take longer to begin than they are.
  const near = Math.min(from + 32, data.length);
  for (let at = from + 1; at < near && data[at] !== backslash; at++) if (data[at] === quote) return at + 1;
  for (let at = data.indexOf(quote, from + 1); at !== -1; at = data.indexOf(quote, at + 1)) {
    let before = at;
    while (data[before - 1] === backslash) before--;
    // After an odd number of backslashes it is a part of the text.
    if ((at - before) % 2 === 0) return at + 1;
  }
  return -1;
}

function skipSpace(data: Uint8Array, from: number): number {
  let at = from;
  while (data[at] === 0x20 || data[at] === 0x0a || data[at] === 0x0d || data[at] === 0x09) at++;
  return at;
}

function nameAt(data: Uint8Array, from: number, to: number, names: readonly string[]): string | undefined {
  for (const name of names) if (isName(data, from + 1, to - 1, name)) return name;
  return undefined;
}

/**
 * Whether these bytes are the name, in ASCII letters, which JSON may also write as `\u0061`. A parser that throws for each
 * of a megabyte of bad names would hold up everything for a second.
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
  // Digits stay what they are, and capital letters become small ones.
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
