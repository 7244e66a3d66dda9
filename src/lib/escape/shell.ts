import { DocumentFault } from "../fault.ts";
import type { Escaper } from "./escaper.ts";
import { readEscape } from "./read-escape.ts";

/** One word of a POSIX shell (XCU §2.2), bash, zsh and dash. */
export const shell: Escaper = { escape, unescape, quotes: true, ascii: false };

function escape(text: string, { quotes }: { quotes: boolean }): string {
  const nul = text.indexOf("\0");
  if (nul >= 0) throw new DocumentFault("No shell can pass a NUL character in a word.", { index: nul });
  if (!quotes && /^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function unescape(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\r\n".includes(text.charAt(end - 1)) && text.charAt(end - 2) !== "\\") end--;
  let result = "";
  const start = text.length - text.trimStart().length;
  let at = start;
  while (at < end) {
    const char = text.charAt(at);
    const part =
      char === "'" || text.startsWith("$'", at) ? readSingle(text, at) : readOther(text, at, at === start);
    result += part.value;
    at = part.end;
  }
  return result;
}

interface Part {
  value: string;
  end: number;
}

function readOther(text: string, at: number, first: boolean): Part {
  const char = text.charAt(at);
  if (char === '"') return readDouble(text, at);
  if (char === "\\") return readBackslash(text, at);
  if (" \t\r\n".includes(char))
    throw new DocumentFault("There is more than one word; unescape one at a time.", { index: at });
  special.lastIndex = at;
  const end = special.exec(text)?.index ?? text.length;
  const value = text.slice(at, end);
  // A home directory is at the beginning and, as in an assignment, after = and :.
  const home = value.search(first ? /(?<=^|[=:])~/ : /(?<=[=:])~/);
  const fault = expanding.includes(char) ? 0 : home;
  if (fault < 0) return { value, end };
  throw new DocumentFault(`A bare ${text.charAt(at + fault)} is not text: the shell would act on it.`, {
    index: at + fault,
  });
}

const expanding = "$`|&;<>()*?[#";
const special = /[ \t\r\n'"\\$`|&;<>()*?[]/g;

/** Reads '…' literally, or $'…' with C escapes. */
function readSingle(text: string, at: number): Part {
  if (text.charAt(at) === "$") return readAnsi(text, at);
  const end = text.indexOf("'", at + 1);
  if (end < 0) throw new DocumentFault("The closing ' is missing.", { index: at });
  return { value: text.slice(at + 1, end), end: end + 1 };
}

function readAnsi(text: string, at: number): Part {
  let value = "";
  let from = at + 2;
  for (;;) {
    stop.lastIndex = from;
    const next = stop.exec(text)?.index ?? -1;
    if (next < 0) throw new DocumentFault("The closing ' is missing.", { index: at });
    value += text.slice(from, next);
    if (text[next] === "'") return { value, end: next + 1 };
    const read = readCharacter(text, next);
    value += read.value;
    from = read.end;
  }
}

const stop = /['\\]/g;

function readCharacter(text: string, at: number): Part {
  const read = readEscape(text, at, ansiForms);
  if (read.value === "\0")
    throw new DocumentFault("A NUL ends the word for the shell; remove it.", { index: at });
  return read;
}

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
  bytes: true,
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
      throw new DocumentFault(`The shell would expand ${char} here; \\${char} is text.`, { index: next });
    if (char === "\\" && '$`"\\\n'.includes(text.charAt(next + 1)) && next + 1 < text.length) {
      next++;
      if (text[next] !== "\n") value += text.charAt(next);
    } else value += char;
  }
  throw new DocumentFault('The closing " is missing.', { index: at });
}

function readBackslash(text: string, at: number): Part {
  const next = text.codePointAt(at + 1);
  if (next === undefined)
    throw new DocumentFault("The last backslash needs a character after it.", { index: at });
  const char = String.fromCodePoint(next);
  return { value: char === "\n" ? "" : char, end: at + 1 + char.length };
}
