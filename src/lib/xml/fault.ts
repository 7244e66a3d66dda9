import { DocumentFault } from "../fault.ts";

/** @throws DocumentFault at `index` of the text. */
export function fail(message: string, index: number, rule = "syntax"): never {
  throw new DocumentFault(message, { index }, rule);
}

/** Describes the character at a place, safe to print. */
export function describeXml(text: string, at: number): string {
  const point = text.codePointAt(at);
  if (point === undefined) return "the end of the document";
  const character = String.fromCodePoint(point);
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return character === "'" ? `"'"` : `'${character}'`;
  if (character === " ") return "a space";
  return character === "\n" || character === "\r"
    ? "a line end"
    : `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Shortens a name for a message. */
export const shorten = (name: string): string =>
  name.length > 64 ? `${name.slice(0, 64).toWellFormed()}…` : name;
