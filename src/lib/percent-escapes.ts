import type { Charset } from "./charset.ts";
import { DocumentFault } from "./fault.ts";
import { decodePercent, decodePercentIn } from "./percent.ts";

export interface EscapeOptions {
  /** Character set of the escaped bytes. */
  charset: Charset;
  /** Keeps a `%` that two hexadecimal digits do not follow. */
  keepMalformed: boolean;
  keepReserved: boolean;
  plusAsSpace: boolean;
}

/**
 * Decodes percent-encoded text, and with `charset` utf-8 also `%u20AC`, which escape() of JavaScript writes.
 * @throws DocumentFault with the place of an escape that is malformed, or whose bytes are not in the character set
 */
export function decodeEscapes(text: string, options: EscapeOptions): string {
  const { charset, keepReserved, plusAsSpace } = options;
  const plain = toPlain(text, options);
  try {
    if (charset !== "utf-8") return decodePercentIn(plain, charset, { keepReserved, plusAsSpace });
    return decodePercent(Buffer.from(plain), keepReserved, plusAsSpace);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const { offset = 0, index = Buffer.from(plain).toString("utf8", 0, offset).length } = error.at;
    throw new DocumentFault(error.message, { index: toIndex(text, index, options) }, error.rule);
  }
}

/** Reports whether a `%` stands for nothing. */
export const hasMalformed = (text: string, options: EscapeOptions): boolean =>
  /%(?![\da-f]{2})/i.test(toPlain(text, options));

/** A surrogate pair and a character as escape() writes them, and a `%` without two digits. */
const escapes = /%u(d[89ab][\da-f]{2})%u(d[c-f][\da-f]{2})|%u([\da-f]{4})|%(?![\da-f]{2})/gi;

const toPlain = (text: string, options: EscapeOptions): string =>
  text.replaceAll(escapes, (escape: string, ...groups: string[]) => rewritten(escape, groups, options));

/** Returns escapes of `%` and two digits. Half of a surrogate pair is malformed. */
function rewritten(
  escape: string,
  groups: readonly (string | undefined)[],
  { charset, keepMalformed }: EscapeOptions,
): string {
  const units = groups.slice(0, 3).flatMap((hex) => (hex === undefined ? [] : Number.parseInt(hex, 16)));
  const character = String.fromCharCode(...units);
  if (charset === "utf-8" && character !== "" && character.isWellFormed())
    return encodeURIComponent(character);
  return keepMalformed ? escape.replaceAll("%", "%25") : escape;
}

/** Returns the index in the text of an index in what `toPlain` has made of it. */
function toIndex(text: string, index: number, options: EscapeOptions): number {
  let added = 0;
  for (const match of text.matchAll(escapes)) {
    const [escape, ...groups] = match;
    const { length } = rewritten(escape, groups, options);
    if (match.index + added + length > index) return Math.min(index - added, match.index);
    added += length - escape.length;
  }
  return index - added;
}

/**
 * Returns where percent-encoded UTF-8 can be cut so that no character begins before and ends after it: after a character that is not escaped,
 * or before an escape that begins a character; 0 if there is no such place.
 */
export function endOfEscapes(text: Uint8Array): number {
  for (let at = text.length; at > 0; at--) {
    if (endsPlainly(text, at) || (escapedAt(text, at - 3) >= 0 && beginsCharacter(escapedAt(text, at))))
      return at;
  }
  return 0;
}

const percent = 0x25;

/** Reports whether the byte before an index is of ASCII and of no escape. */
function endsPlainly(text: Uint8Array, at: number): boolean {
  if ((text[at - 1] as number) >= 0x80) return false;
  const last = text.subarray(Math.max(0, at - "%uFFFF".length), at);
  const from = last.lastIndexOf(percent);
  return from < 0 || (last.length - from > "%FF".length && ((last[from + 1] ?? 0) | 0x20) !== 0x75);
}

const beginsCharacter = (byte: number): boolean => byte >= 0 && (byte & 0xc0) !== 0x80;

/** Returns the byte that `%` with two digits at an index stands for; -1 without them. */
function escapedAt(text: Uint8Array, at: number): number {
  if (text[at] !== percent) return -1;
  const digits = Buffer.from(text.subarray(at + 1, at + 3)).toString("latin1");
  return /^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
}
