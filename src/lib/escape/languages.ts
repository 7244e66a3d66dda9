import { defineBackslash } from "./backslash.ts";
import type { Escaper } from "./escaper.ts";
import { csv, regex, sql } from "./plain.ts";
import { shell } from "./shell.ts";
import { xml } from "./xml.ts";

export const languages = ["shell", "json", "js", "java", "python", "sql", "regex", "csv", "xml"] as const;

export type Language = (typeof languages)[number];

const letters = { "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t" };
const simple = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };
const forms = {
  hex: false,
  long: false,
  octal: false,
  joins: false,
  lenient: false,
  slash: false,
  strict: false,
};

/** Two code units if one does not suffice. */
const toUnits = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => `\\u${hex(char.charCodeAt(at), 4)}`).join("");

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

const json = defineBackslash({
  ...forms,
  name: "JSON",
  letters,
  simple: { ...simple, "/": "/" },
  unicode: "plain",
  always: '"\\',
  bare: "",
  others: /[^\P{Cc}\x7f-\x9f]/u,
  toNumber: toUnits,
  marks: '"',
  strict: true,
});

const js = defineBackslash({
  ...forms,
  name: "JavaScript",
  letters: { ...letters, "\v": "v" },
  simple: { ...simple, v: "\v" },
  unicode: "braces",
  hex: true,
  octal: true,
  joins: true,
  lenient: true,
  slash: true,
  // Without quotes, the text may end up in any of the three kinds of string.
  always: '"\\',
  bare: "'`",
  // Line and paragraph separators end a line in older JavaScript; ${ begins an expression in a template.
  others: /[\p{Cc}\u2028\u2029]|\$(?=\{)/u,
  toNumber: (char) => (char < "\x80" ? `\\x${hex(char.charCodeAt(0), 2)}` : toUnits(char)),
  marks: "\"'`",
});

const java = defineBackslash({
  ...forms,
  name: "Java",
  letters,
  simple: { ...simple, "'": "'", s: " " },
  unicode: "many",
  octal: true,
  always: '"\\',
  bare: "",
  others: /\p{Cc}/u,
  // \u000a becomes a line end before the compiler sees a string (JLS §3.3): control characters are written in
  // octal.
  toNumber: (char) =>
    char < "\x80" ? `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}` : toUnits(char),
  marks: '"',
});

const python = defineBackslash({
  ...forms,
  name: "Python",
  letters: { "\n": "n", "\r": "r", "\t": "t" },
  simple: { ...simple, "'": "'", a: "\x07", v: "\v" },
  unicode: "plain",
  hex: true,
  long: true,
  octal: true,
  joins: true,
  always: '"\\',
  bare: "'",
  others: /\p{Cc}/u,
  toNumber(char) {
    const point = char.codePointAt(0) as number;
    if (point > 0xffff) return `\\U${hex(point, 8)}`;
    return point > 0xff ? `\\u${hex(point, 4)}` : `\\x${hex(point, 2)}`;
  },
  marks: "\"'",
});

export const escapers: Readonly<Record<Language, Escaper>> = {
  shell,
  json,
  js,
  java,
  python,
  sql,
  regex,
  csv,
  xml,
};
