import { splitWords } from "../text/words.ts";
import type { Member } from "./model.ts";

export type Case = "camel" | "pascal" | "snake" | "keep";

/** A member and its name in a language. */
export interface Named {
  member: Member;
  name: string;
}

/**
 * Names the members of an object: identifiers of ASCII letters and digits, each once, that are no words of the language.
 * @param reserved Words that get an underscore at their end.
 * @param toSame Maps names to the same text if the language cannot have both in one object.
 */
export function nameMembers(
  members: readonly Member[],
  style: Case,
  reserved: ReadonlySet<string>,
  toSame = (name: string) => name.toLowerCase(),
): Named[] {
  const taken = new Set<string>();
  /** The number to try next, by what it is added to: many names may begin alike. */
  const numbers = new Map<string, number>();
  return members.map((member) => {
    const wanted = toIdentifier(member.key, style);
    const base = reserved.has(wanted) ? `${wanted}_` : wanted;
    let name = base;
    let next = numbers.get(base) ?? 2;
    while (taken.has(toSame(name)) || reserved.has(name)) name = `${base}${next++}`;
    numbers.set(base, next);
    taken.add(toSame(name));
    return { member, name };
  });
}

export const isIdentifier = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);

function toIdentifier(key: string, style: Case): string {
  if (style === "keep" && isIdentifier(key)) return key;
  const words = splitWords(key.normalize("NFKD").slice(0, 200))
    .map((word) => word.replaceAll(/[^A-Za-z0-9]/g, ""))
    .filter((word) => word !== "");
  const name = words
    .map((word, at) => {
      if (style === "snake") return word.toLowerCase();
      if (style === "keep") return word;
      const rest = /[a-z]/.test(word) ? word.slice(1) : word.slice(1).toLowerCase();
      const first =
        style === "camel" && at === 0 ? word.slice(0, 1).toLowerCase() : word.slice(0, 1).toUpperCase();
      return first + rest;
    })
    .join(style === "snake" || style === "keep" ? "_" : "");
  if (name === "") return style === "pascal" ? "Value" : "value";
  if (/^\d/.test(name))
    return `${style === "pascal" ? "Value" : "value"}${style === "snake" || style === "keep" ? "_" : ""}${name}`;
  return name;
}

/** Words of a language, separated by spaces. */
export const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** A string literal that C and its kin read: JSON, with every character beyond ASCII escaped. */
export const quote = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
