import { DocumentFault } from "../fault.ts";
import { type DuplicateKeys, setMember } from "../data/set-member.ts";
import type { Dictionary } from "../data/value.ts";

export interface IniOptions {
  duplicateKeys?: DuplicateKeys;
  /** Whether `;` or `#` after white space begins a comment in a value; by default it is a part of the value. */
  inlineComments?: boolean;
}

/**
 * Parses an INI document to a map of the keys before the first section, and of sections, each a map of
 * strings. Lines are `key = value`, `key: value`, a bare name, whose value is null, `[section]`, or a comment that begins with `;` or `#`.
 * A line that is indented deeper than the key before it continues its value on a line of its own, as Python's configparser reads it; an empty
 * line ends the value. Double quotes around a value are removed. A repeated section continues.
 * @throws DocumentFault if a line is none of these, or a key repeats in its section.
 */
export function fromIni(
  text: string,
  { duplicateKeys = "error", inlineComments = false }: IniOptions = {},
): Dictionary {
  const root: Dictionary = new Map();
  let section = root;
  let open: { key: string; indent: number; lines: (string | null)[]; index: number } | undefined;
  const close = (): void => {
    if (open === undefined) return;
    const { key, lines, index } = open;
    const [first = null] = lines;
    const value =
      lines.length > 1 ? lines.map((line) => line ?? "").join("\n") : first === null ? null : unquote(first);
    open = undefined;
    setMember(section, key, value, duplicateKeys, () => {
      const message = `The key ${shown(key)} occurs twice in its section.`;
      return new DocumentFault(message, { index }, "duplicate-key");
    });
  };
  const toValue = (value: string): string => {
    const end = inlineComments ? value.search(/(?:^|\s)[;#]/) : -1;
    return (end < 0 ? value : value.slice(0, end)).trim();
  };
  forEachLine(text, (line, index) => {
    const content = line.trim();
    if (content === "") return close();
    if (content.startsWith(";") || content.startsWith("#")) return;
    const indent = line.search(/\S/);
    if (open !== undefined && indent > open.indent) return void open.lines.push(toValue(content));
    close();
    if (content.startsWith("[")) {
      section = openSection(root, inlineComments ? content.replace(/\]\s+[;#].*$/, "]") : content, index);
      return;
    }
    const at = content.search(/[=:]/);
    if (at === 0) throw new DocumentFault("Expected key = value, a name, [section] or a comment.", { index });
    const key = at < 0 ? toValue(content) : content.slice(0, at).trimEnd();
    open = { key, indent, index, lines: [at < 0 ? null : toValue(content.slice(at + 1).trim())] };
  });
  close();
  return root;
}

/** Calls with each line and the index of its first character that is not white space. */
function forEachLine(text: string, call: (line: string, index: number) => void): void {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, text[end - 1] === "\r" ? end - 1 : end);
    call(line, at + Math.max(line.search(/\S/), 0));
    at = end + 1;
  }
}

export const shown = (key: string): string => JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key);

function openSection(root: Dictionary, content: string, index: number): Dictionary {
  if (!content.endsWith("]"))
    throw new DocumentFault("Expected ']' at the end of the section's name.", { index });
  const name = content.slice(1, -1).trim();
  const found = root.get(name);
  if (found instanceof Map) return found;
  if (found !== undefined) {
    throw new DocumentFault(`${shown(name)} is already a key, not a section.`, { index }, "duplicate-key");
  }
  const section: Dictionary = new Map();
  root.set(name, section);
  return section;
}

function unquote(value: string): string {
  if (value.length < 2 || !value.startsWith('"')) return value;
  // Quotes around only a part of the value belong to it.
  if (!/^[^"\\]*"$/.test(value.slice(1).replace(/\\./g, ""))) return value;
  return value.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? `\\${letter}`);
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };
