import { parseAddress } from "../ip/parse.ts";
import { isCard } from "./cards.ts";
import { findEmails } from "./emails.ts";

export const personalKinds = ["email", "phone", "ip", "mac", "card", "iban"] as const;

export type PersonalKind = (typeof personalKinds)[number];

export interface Span {
  kind: string;
  index: number;
  end: number;
}

/** Finds data about a person or a machine by its form and, if it has one, its checksum. */
export function* findPersonal(text: string, kind: PersonalKind): Generator<Span> {
  if (kind === "email") {
    for (const place of findEmails(text)) yield { kind, ...place };
    return;
  }
  for (const { pattern, measure } of patterns[kind]) {
    const search = new RegExp(pattern);
    for (let match = search.exec(text); match !== null; match = search.exec(text)) {
      const found = match[1] ?? match[0];
      const index = match.index + match[0].length - found.length;
      const length = measure(
        found,
        text.charAt(index - 1),
        text.slice(index + found.length, index + found.length + 2),
      );
      if (length > 0) yield { kind, index, end: index + length };
      // Text that does not qualify may contain the start of a match.
      search.lastIndex = length > 0 ? index + length : match.index + 1;
    }
  }
}

interface Pattern {
  /**
   * In the common subset of JavaScript's and RE2's syntax, with every repetition bounded. A group is at the
   * end of its match.
   */
  pattern: RegExp;
  /**
   * Returns the length of the match within `found`, or 0.
   * @param before The character before it; `after` is the two characters after it.
   */
  measure(found: string, before: string, after: string): number;
}

const patterns: Record<Exclude<PersonalKind, "email">, readonly Pattern[]> = {
  phone: [
    {
      // E.164 with its +, in the usual groups.
      pattern: /\+\d{1,3}(?:(?:[ ./-]|[ -]?\(0?\)[ -]?|[ -]?\(|\)[ -]?)?\d){6,14}/g,
      measure: (found, before, after) => {
        const digits = found.replaceAll(/\D/g, "").length;
        return /[\w+.]/.test(before) || /^\w/.test(after) || digits < 8 || digits > 15 ? 0 : found.length;
      },
    },
    {
      // North America: the area code in parentheses, or three groups with one separator.
      pattern: /(?:\(\d{3}\) ?\d{3}[ -]|\d{3}-\d{3}-|\d{3}\.\d{3}\.)\d{4}/g,
      measure: (found, before, after) =>
        /[\w.+-]/.test(before) || /^(?:\w|[.-]\d)/.test(after) ? 0 : found.length,
    },
    {
      // Elsewhere: behind the international prefix 00 or the 0 of a trunk call, in groups; the groups of China, India and Brazil.
      pattern:
        /00[1-9]\d{0,2}(?:[ -]\d{2,8}){2,4}|\(0[1-9]\d{0,3}\)[ -]?\d{3,4}[ -]?\d{3,5}|0[1-9](?:[ .]\d{2}){4}|0[1-9]\d{0,3}-\d{2,4}-\d{4}|0[1-9]\d{1,3}[ /]\d{3,4} ?\d{3,5}|1[3-9]\d[ -]\d{4}[ -]\d{4}|[6-9]\d{4} \d{5}|\(\d{2}\) 9?\d{4}-\d{4}/g,
      measure: (found, before, after) => {
        const digits = found.replaceAll(/\D/g, "").length;
        return /[\w.,:/+-]/.test(before) || /^(?:\w|[ .:,/-]\d)/.test(after) || digits < 9 ? 0 : found.length;
      },
    },
  ],
  mac: [
    {
      pattern:
        /(?:[\da-fA-F]{2}:){5}[\da-fA-F]{2}|(?:[\da-fA-F]{2}-){5}[\da-fA-F]{2}|(?:[\da-fA-F]{4}\.){2}[\da-fA-F]{4}/g,
      measure: (found, before, after) =>
        /[\w:.-]/.test(before) || /^(?:\w|[:-]\w)/.test(after) ? 0 : found.length,
    },
  ],
  ip: [
    {
      pattern: /\d{1,3}(?:\.\d{1,3}){3}/g,
      // 1.2.3.4.5 is a version, and so is v1.2.3.4.
      measure: (found, before, after) =>
        !/[\w.]/.test(before) && !/^(?:\w|\.\d)/.test(after) && isAddress(found) ? found.length : 0,
    },
    {
      pattern: /[\da-fA-F]{0,4}:(?:[\da-fA-F]{0,4}:){1,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F]{0,4})/g,
      // a::b is more often code than an address; in [ip]::80, an address was masked.
      measure: (found, before, after) =>
        !/[\w:.\]]/.test(before) && !/^[\w:]/.test(after) && /\d/.test(found) && isAddress(found)
          ? found.length
          : 0,
    },
  ],
  card: [
    {
      // One run of digits, or groups as on the card: 4-4-4-4, 4-4-4-4-3, 4-6-5 and 4-6-4.
      pattern: /[2-6]\d{3}(?:\d{9,15}|[ -]\d{6}[ -]\d{4,5}|[ -]\d{4}[ -]\d{4}[ -]\d{4}(?:[ -]\d{3})?)/g,
      measure: (found, before, after) => {
        if (/[\w.]/.test(before) || (found.includes(" ") && found.includes("-"))) return 0;
        return measureLongest(found, after, isCard);
      },
    },
  ],
  iban: [
    {
      pattern: /[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?/g,
      measure: (found, before, after) => (/\w/.test(before) ? 0 : measureLongest(found, after, isIban)),
    },
  ],
};

/**
 * Returns the longest match that begins here and ends at a word boundary: after a space, another number may
 * follow.
 */
function measureLongest(found: string, after: string, is: (text: string) => boolean): number {
  for (let length = found.length; length > 12; length--) {
    if (/\w/.test(found.charAt(length) || after.charAt(0))) continue;
    if (/\w/.test(found.charAt(length - 1)) && is(found.slice(0, length).replaceAll(/[ -]/g, "")))
      return length;
  }
  return 0;
}

function isAddress(text: string): boolean {
  try {
    parseAddress(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * ISO 13616: with the first four characters moved to the end and letters as 10 to 35, the remainder modulo 97
 * is 1.
 */
function isIban(text: string): boolean {
  if (text.length < 15 || text.length > 34) return false;
  let rest = 0;
  for (const char of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
