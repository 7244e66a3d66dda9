import { defineBackslash } from "./backslash.ts";

const simple = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };
const forms = {
  hex: false,
  long: false,
  octal: false,
  joins: false,
  bytes: false,
  lenient: false,
  slash: false,
  onlyRead: "",
  forbidden: "",
  surrogates: true,
} as const;

/** Two code units if one does not suffice. */
const toUnits = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => `\\u${hex(char.charCodeAt(at), 4)}`).join("");

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** \u0041, or \U0001f600 beyond four digits. */
function toPoint(char: string): string {
  const point = char.codePointAt(0) as number;
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

export const json = defineBackslash({
  ...forms,
  name: "JSON",
  simple: { ...simple, "/": "/" },
  unicode: "plain",
  always: '"\\',
  bare: "",
  others: /[^\P{Cc}\x7f-\x9f]/u,
  toNumber: toUnits,
  marks: '"',
  forbidden: '"\\0-\\x1f',
});

export const js = defineBackslash({
  ...forms,
  name: "JavaScript",
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

export const java = defineBackslash({
  ...forms,
  name: "Java",
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

export const python = defineBackslash({
  ...forms,
  name: "Python",
  simple: { ...simple, "'": "'", a: "\x07", v: "\v" },
  onlyRead: "abfv",
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

/** An interpreted string literal (Go specification, "String literals"). */
export const go = defineBackslash({
  ...forms,
  name: "Go",
  simple: { ...simple, a: "\x07", v: "\v" },
  unicode: "plain",
  hex: true,
  long: true,
  octal: true,
  bytes: true,
  always: '"\\',
  bare: "",
  // A byte order mark is allowed at the beginning of a file only.
  others: /[\p{Cc}\ufeff]/u,
  toNumber: (char) => (char < "\x80" ? `\\x${hex(char.charCodeAt(0), 2)}` : toPoint(char)),
  marks: '"',
  forbidden: "\\n",
  surrogates: false,
});

/** A regular string literal (C# specification §6.4.5.6). */
export const csharp = defineBackslash({
  ...forms,
  name: "C#",
  simple: { ...simple, "'": "'", 0: "\0", a: "\x07", e: "\x1b", v: "\v" },
  onlyRead: "e",
  unicode: "plain",
  // Not written: it takes as many digits as follow, up to four.
  hex: "long",
  long: true,
  always: '"\\',
  bare: "'",
  // Line separators end a line, and so the string.
  others: /[\p{Cc}\u2028\u2029]/u,
  toNumber: toPoint,
  marks: '"',
  forbidden: "\\n\\r\\x85\\u2028\\u2029",
});

/** A double-quoted string (PHP manual, "Strings"). */
export const php = defineBackslash({
  ...forms,
  name: "PHP",
  simple: { n: "\n", r: "\r", t: "\t", v: "\v", e: "\x1b", f: "\f", '"': '"', "\\": "\\", $: "$" },
  unicode: "only-braces",
  hex: "short",
  octal: true,
  bytes: true,
  lenient: "kept",
  // $ begins a variable.
  always: '"\\$',
  bare: "",
  others: /\p{Cc}/u,
  toNumber: (char) =>
    char < "\x80"
      ? `\\x${hex(char.charCodeAt(0), 2)}`
      : `\\u{${(char.codePointAt(0) as number).toString(16)}}`,
  marks: '"',
  surrogates: false,
});

/** A double-quoted scalar (YAML 1.2 §5.7, §7.3.1) on one line. */
export const yaml = defineBackslash({
  ...forms,
  name: "YAML",
  simple: {
    ...simple,
    0: "\0",
    a: "\x07",
    v: "\v",
    e: "\x1b",
    "\t": "\t",
    " ": " ",
    "/": "/",
    N: "\x85",
    _: "\xa0",
    L: "\u2028",
    P: "\u2029",
  },
  onlyRead: "\t_",
  unicode: "plain",
  hex: true,
  long: true,
  always: '"\\',
  bare: "",
  // Characters that the specification does not count as printable, and a byte order mark.
  others: /[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]/u,
  toNumber(char) {
    const point = char.codePointAt(0) as number;
    return point > 0xff ? toPoint(char) : `\\x${hex(point, 2)}`;
  },
  marks: '"',
  // A line break is folded.
  forbidden: "\\n\\r",
  surrogates: false,
});
