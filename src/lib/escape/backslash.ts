import { DocumentFault } from "../fault.ts";
import { replaceCharacters } from "../text/replace-characters.ts";
import { findLoneSurrogate, requireWellFormed } from "../text/well-formed.ts";
import type { Escaper } from "./escaper.ts";
import { type Forms, readEscape } from "./read-escape.ts";

export interface BackslashLanguage extends Forms {
  /** Letters of `simple` that are read and never written. */
  onlyRead: string;
  /** Characters escaped by a backslash: always, and outside quotes. */
  always: string;
  bare: string;
  /** Other characters that must be escaped, written by `toNumber`. */
  others: RegExp;
  toNumber(char: string): string;
  /** Quotes allowed around a text; it is written with the first. */
  marks: string;
  /** Characters that may not stand as they are, for a class of a pattern; for JSON a quote and control characters (RFC 8259 §7). */
  forbidden: string;
  /** Whether a lone surrogate can be written as an escape. */
  surrogates: boolean;
}

/** Defines an escaper for a language with backslash escapes. */
export function defineBackslash(language: BackslashLanguage): Escaper {
  const mark = language.marks.charAt(0);
  const written = Object.entries(language.simple).filter(([letter]) => !language.onlyRead.includes(letter));
  const letters = new Map(written.map(([letter, char]) => [char, letter]));
  const toEscape = (char: string, before: string): string => {
    if (before.includes(char)) return `\\${char}`;
    const letter = letters.get(char);
    return letter === undefined ? language.toNumber(char) : `\\${letter}`;
  };

  function escape(text: string, { quotes, ascii }: { quotes: boolean; ascii: boolean }): string {
    if (!language.surrogates) requireWellFormed(text);
    const before = quotes ? language.always : language.always + language.bare;
    const plain = new RegExp(`[${before.replaceAll("\\", "\\\\")}]|${language.others.source}`, "gu");
    // Lone surrogates can only be written as escapes.
    const every = ascii ? /[^ -~]/gu : /\p{Surrogate}/gu;
    const known = new Map<string, string>();
    const write = (char: string): string => {
      let escaped = known.get(char);
      if (escaped === undefined) known.set(char, (escaped = toEscape(char, before)));
      return escaped;
    };
    const whole = replaceCharacters(replaceCharacters(text, plain, write), every, write);
    const safe = protectScript(whole, language);
    return quotes ? `${mark}${safe}${mark}` : safe;
  }

  function unescape(text: string, quotes: boolean): string {
    const [from, to, open] = quotes ? unquote(text, language.marks) : [0, text.length, ""];
    let result = "";
    let at = from;
    const special = new RegExp(`[\\\\${open}${language.forbidden}]`, "g");
    while (at < to) {
      special.lastIndex = at;
      const next = special.exec(text)?.index ?? to;
      result += text.slice(at, Math.min(next, to));
      if (next >= to) break;
      if (text[next] !== "\\") throw new DocumentFault(toBareMessage(text.charAt(next)), { index: next });
      const { value, end } = readEscape(text.slice(0, to), next, language);
      result += value;
      at = end;
    }
    if (findLoneSurrogate(result) < 0) return result;
    const index = text.search(/\\u+\{?0*[dD][89a-fA-F]/);
    throw new DocumentFault("An escape is a lone surrogate.", {
      index: Math.max(index, 0),
    });
  }

  return { escape, unescape, quotes: true, ascii: true };
}

/** A browser ends an inline script at </script anywhere; in JSON and JavaScript \/ is a slash. */
function protectScript(written: string, { slash }: BackslashLanguage): string {
  return slash ? written.replaceAll("</", "<\\/") : written;
}

function unquote(text: string, marks: string): [from: number, to: number, open: string] {
  const open = text.charAt(0);
  if (open === "" || !marks.includes(open)) {
    throw new DocumentFault(
      `Expected a quote (${[...marks].join(" or ")}) at the beginning; for text without quotes, set quotes to false.`,
      { index: 0 },
    );
  }
  if (text.length < 2 || !text.endsWith(open))
    throw new DocumentFault(`The closing ${open} is missing.`, { index: text.length });
  return [1, text.length - 1, open];
}

function toBareMessage(char: string): string {
  if (char < " ") return "A control character must be escaped here.";
  return `A bare ${char} ends the string; escape it, or set quotes to true if the quotes are part of data.`;
}
