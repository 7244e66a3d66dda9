import { TextError } from "../text/text-error.ts";
import type { Escaper } from "./escaper.ts";
import { readEscape } from "./read-escape.ts";

/** One word of a POSIX shell (XCU §2.2), and of bash, zsh and dash. */
export const shell: Escaper = { escape, unescape, quotes: true, ascii: false };

function escape(text: string, { quotes }: { quotes: boolean }): string {
  const nul = text.indexOf("\0");
  if (nul >= 0) throw new TextError("No shell can pass a NUL character on.", nul);
  if (!quotes && /^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function unescape(text: string): string {
  const end = text.replace(/(?:(?<!\\)[ \t\r\n])+$/, "").length;
  let result = "";
  let at = text.length - text.trimStart().length;
  while (at < end) {
    const char = text.charAt(at);
    const part = char === "'" || text.startsWith("$'", at) ? readSingle(text, at) : readOther(text, at);
    result += part.value;
    at = part.end;
  }
  return result;
}

interface Part {
  value: string;
  end: number;
}

function readOther(text: string, at: number): Part {
  const char = text.charAt(at);
  if (char === '"') return readDouble(text, at);
  if (char === "\\") return readBackslash(text, at);
  if (" \t\r\n".includes(char))
    throw new TextError("There is more than one word; unescape one at a time.", at);
  if (expanding.includes(char)) {
    throw new TextError(`A bare ${char} is not text: the shell would act on it.`, at);
  }
  special.lastIndex = at;
  const end = special.exec(text)?.index ?? text.length;
  return { value: text.slice(at, end), end };
}

const expanding = "$`|&;<>()*?[#";
const special = /[ \t\r\n'"\\$`|&;<>()*?[]/g;

/** '…' as it is, or $'…' with escapes as in C. */
function readSingle(text: string, at: number): Part {
  const ansi = text.charAt(at) === "$";
  let value = "";
  let from = at + (ansi ? 2 : 1);
  for (;;) {
    stop.lastIndex = from;
    const next = stop.exec(text)?.index ?? -1;
    if (next < 0) throw new TextError("The closing ' is missing.", at);
    if (text[next] === "'") return { value: value + text.slice(from, next), end: next + 1 };
    value += text.slice(from, next);
    from = next + 1;
    if (!ansi) value += "\\";
    else {
      const read = readEscape(text, next, ansiForms);
      value += read.value;
      from = read.end;
    }
  }
}

const stop = /['\\]/g;

const ansiForms = {
  simple: {
    "'": "'",
    '"': '"',
    "?": "?",
    "\\": "\\",
    a: "\x07",
    b: "\b",
    e: "\x1b",
    f: "\f",
    n: "\n",
    r: "\r",
    t: "\t",
    v: "\v",
  },
  hex: true,
  unicode: "plain",
  long: true,
  octal: true,
  joins: false,
  lenient: false,
  slash: false,
  name: "$'…'",
} as const;

function readDouble(text: string, at: number): Part {
  let value = "";
  for (let next = at + 1; next < text.length; next++) {
    const char = text.charAt(next);
    if (char === '"') return { value, end: next + 1 };
    if (char === "$" || char === "`")
      throw new TextError(`The shell would expand ${char} here; \\${char} is text.`, next);
    if (char === "\\" && '$`"\\\n'.includes(text.charAt(next + 1)) && next + 1 < text.length) {
      next++;
      if (text[next] !== "\n") value += text.charAt(next);
    } else value += char;
  }
  throw new TextError('The closing " is missing.', at);
}

function readBackslash(text: string, at: number): Part {
  const next = text.codePointAt(at + 1);
  if (next === undefined) throw new TextError("Nothing follows the last backslash.", at);
  const char = String.fromCodePoint(next);
  return { value: char === "\n" ? "" : char, end: at + 1 + char.length };
}
