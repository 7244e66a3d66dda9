import type { XmlAttribute } from "./lex.ts";
import { readReference } from "./references.ts";

/**
 * Returns the text between two pieces of markup, with each line end as one line feed (§2.11) and references
 * resolved.
 */
export function textOf(text: string, from: number, to: number): string {
  const raw = normalizeLineEnds(text.slice(from, to));
  return raw.includes("&") ? resolve(raw) : raw;
}

/** Returns the text of a CDATA section that spans this range with its markup. */
export const cdataOf = (text: string, from: number, to: number): string =>
  normalizeLineEnds(text.slice(from + 9, to - 3));

/** Returns the value of an attribute, with white space as spaces (§3.3.3) and references resolved. */
export function attributeValueOf(text: string, { valueFrom, valueTo }: XmlAttribute): string {
  const raw = text.slice(valueFrom, valueTo);
  const spaced = /[\t\r\n]/.test(raw) ? raw.replace(/\r\n|[\t\r\n]/g, " ") : raw;
  return spaced.includes("&") ? resolve(spaced) : spaced;
}

const normalizeLineEnds = (raw: string): string => (raw.includes("\r") ? raw.replace(/\r\n?/g, "\n") : raw);

/** References that need a declaration stay as they are. */
function resolve(raw: string): string {
  let value = "";
  let from = 0;
  for (let amp = raw.indexOf("&"); amp >= 0; amp = raw.indexOf("&", from)) {
    const { to, text } = readReference(raw, amp);
    value += raw.slice(from, amp) + (text ?? raw.slice(amp, to));
    from = to;
  }
  return value + raw.slice(from);
}
