import { DocumentFault } from "../fault.ts";
import { type DuplicateKeys, setMember } from "../data/set-member.ts";
import type { Dictionary } from "../data/value.ts";

/**
 * Parses an INI document to a map of the keys before the first section, and of sections, each a map of
 * strings. Lines are `key = value`, `key: value`, `[section]`, or a comment that begins with `;` or `#`.
 * Double quotes around a value are removed. A repeated section continues.
 * @throws DocumentFault if a line is none of these, or a key repeats in its section.
 */
export function fromIni(text: string, duplicateKeys: DuplicateKeys = "error"): Dictionary {
  const root: Dictionary = new Map();
  let section = root;
  forEachLine(text, (line, index) => {
    const content = line.trim();
    if (content === "" || content.startsWith(";") || content.startsWith("#")) return;
    if (content.startsWith("[")) {
      section = openSection(root, content, index);
      return;
    }
    const at = content.search(/[=:]/);
    if (at <= 0) {
      throw new DocumentFault("Expected key = value, [section] or a comment.", { index });
    }
    const key = content.slice(0, at).trimEnd();
    setMember(section, key, unquote(content.slice(at + 1).trim()), duplicateKeys, () => {
      const message = `The key ${shown(key)} occurs twice in its section.`;
      return new DocumentFault(message, { index }, "duplicate-key");
    });
  });
  return root;
}

/** Calls with each line and the index of its first character that is not white space. */
export function forEachLine(text: string, call: (line: string, index: number) => void): void {
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
