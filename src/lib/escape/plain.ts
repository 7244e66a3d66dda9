import { DocumentFault } from "../fault.ts";
import { replaceCharacters } from "../text/replace-characters.ts";
import type { Escaper } from "./escaper.ts";

/** A string of standard SQL: quotes are doubled, and a backslash is an ordinary character. */
export const sql: Escaper = {
  quotes: true,
  ascii: false,
  escape(text, { quotes }) {
    const nul = text.indexOf("\0");
    if (nul >= 0) throw new DocumentFault("No database accepts a NUL character in a string.", { index: nul });
    const written = text.replaceAll("'", "''");
    return quotes ? `'${written}'` : written;
  },
  unescape(text, quotes) {
    const inner = quotes ? unquote(text, "'") : text;
    return readDoubled(inner, "'", quotes ? 1 : 0);
  },
};

/**
 * A field of CSV (RFC 4180 §2), also quoted if a parser with other separators or trimming would change it.
 */
export const csv: Escaper = {
  quotes: true,
  ascii: false,
  escape(text, { quotes }) {
    if (!quotes && !/[",;\t\r\n]|^\s|\s$/.test(text)) return text;
    return `"${text.replaceAll('"', '""')}"`;
  },
  unescape(text, quotes) {
    if (quotes || text.startsWith('"')) return readDoubled(unquote(text, '"'), '"', 1);
    const fault = text.search(/[",\r\n]/);
    if (fault >= 0)
      throw new DocumentFault("A field with this character must be in quotes.", { index: fault });
    return text;
  },
};

/**
 * A literal in a regular expression, for JavaScript with any flags, RE2, PCRE, Java, Python and POSIX
 * extended. Characters that only some of them allow to be escaped are written by number.
 */
export const regex: Escaper = {
  quotes: false,
  ascii: false,
  escape: (text) =>
    replaceCharacters(
      replaceCharacters(text, /[\\^$.*+?()[\]{}|/]/g, (char) => `\\${char}`),
      /[-#&~ \p{Cc}]/gu,
      (char) => regexLetters.get(char) ?? toHex(char),
    ),
  unescape: readRegex,
};

const regexLetters = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\f", "\\f"],
  // A space is special only in verbose patterns, a tilde and an ampersand only in classes.
  [" ", " "],
  ["~", "~"],
  ["&", "&"],
]);

const toHex = (char: string): string => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;

function readRegex(text: string): string {
  const pattern =
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\}|([^\p{L}\p{N}]|[fnrtv0]))|([\\^$.*+?()[\]{}|])/giu;
  type Part = string | undefined;
  const toLiteral = (
    whole: string,
    two: Part,
    four: Part,
    braces: Part,
    sign: Part,
    bare: Part,
    at: number,
  ) => {
    const digits = two ?? four ?? braces;
    if (digits !== undefined && Number.parseInt(digits, 16) <= 0x10ffff) {
      return String.fromCodePoint(Number.parseInt(digits, 16));
    }
    if (sign !== undefined) return regexControls.get(sign) ?? sign;
    const reason =
      (bare ?? "\\") === "\\"
        ? "This escape does not stand for a single character."
        : `A bare ${whole} is not text; \\${whole} is.`;
    throw new DocumentFault(reason, { index: at });
  };
  return text.replaceAll(pattern, toLiteral);
}

const regexControls = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["f", "\f"],
  ["v", "\v"],
  ["0", "\0"],
]);

function unquote(text: string, mark: string): string {
  if (!text.startsWith(mark)) throw new DocumentFault(`Expected ${mark} at the beginning.`, { index: 0 });
  if (text.length < 2 || !text.endsWith(mark))
    throw new DocumentFault(`The closing ${mark} is missing.`, { index: text.length });
  return text.slice(1, -1);
}

/** @param shift Offset of the inner text in the document. */
function readDoubled(inner: string, mark: string, shift: number): string {
  const doubled = mark + mark;
  for (let at = inner.indexOf(mark); at >= 0; at = inner.indexOf(mark, at + 2)) {
    if (!inner.startsWith(doubled, at))
      throw new DocumentFault(`A ${mark} in the text must be doubled.`, { index: at + shift });
  }
  return inner.replaceAll(doubled, mark);
}
