import { cutAtCharacter } from "../cut-at-character.ts";
import type { Kind } from "./kinds.ts";

/**
 * Returns the beginning of a long document as a document of the same kind, of about `most` bytes: a tool that accepts the document
 * accepts it. Open brackets and tags are closed, and a list of statements ends behind one of them.
 */
export function beginningOf(document: Uint8Array, kind: Kind, most: number): Uint8Array {
  if (document.length <= most) return document;
  const head = cutAtCharacter(document.subarray(0, most - (most % 4)));
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString();
  const cut = cutOf(kind, text);
  return cut === undefined ? head : Buffer.from(cut);
}

/** Undefined if the document can end anywhere. */
function cutOf(kind: Kind, text: string): string | undefined {
  const first = /^[\ufeff\s]*(.)/.exec(text)?.[1];
  if (first === "<") return closeTags(text);
  if (kind.includes("yaml")) return cutYaml(text);
  if (first === "{" || (first === "[" && kind.includes("json"))) return closeBrackets(text);
  if (kind.startsWith("toml"))
    return cutBefore(text, /\n(?=\[)/g) ?? cutBefore(text, /\n(?=[\w"'.-]+[ \t]*=)/g);
  if (kind === "sql") return cutBefore(text, /(?<=;[ \t]*)\r?\n/g) ?? cutBefore(text, /\n/g);
  if (kind === "percent") return text.replace(/%[\dA-Fa-f]?$/, "");
  if (kind.startsWith("hex") && kind !== "hex-dump") return cutBefore(text, /[\s:](?=[\da-f]{2}\b)/gi);
  if (kind.startsWith("base64")) return cutBefore(text, /\n/g);
  if (kind === "binary" || kind === "picture" || kind === "utf-16") return undefined;
  return cutBefore(text, /(?<=\n)/g);
}

/** The text before the last match; undefined without one. */
function cutBefore(text: string, place: RegExp): string | undefined {
  let at = 0;
  for (const { index } of text.matchAll(place)) at = index;
  return at === 0 ? undefined : `${text.slice(0, at).trimEnd()}\n`;
}

/** JSON and its dialects: cut where a value is complete. */
function closeBrackets(text: string): string {
  const open: string[] = [];
  let end = 0;
  // Strings and comments first, because they hold brackets.
  const token = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|[[\]{},]/gs;
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === "[" || found === "{") open.push(found === "[" ? "]" : "}");
    else if (found === "]" || found === "}") open.pop();
    else if (found !== ",") continue;
    end = found === "," ? index : index + 1;
  }
  return text.slice(0, end) + open.toReversed().join("");
}

/** XML: cut behind a tag, and the elements that are open there are closed. */
function closeTags(text: string): string {
  const open: string[] = [];
  let end = 0;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", end)) {
    const [, closer] = markup.find(([opener]) => text.startsWith(opener, at)) ?? ["", ">"];
    const close = closer === ">" ? endOfTag(text, at) : text.indexOf(closer, at);
    if (close === -1) break;
    end = close + closer.length;
    const [, slash, name] = /^<(\/?)([^\s<>/!?]+)/.exec(text.slice(at, Math.min(end, at + maxName))) ?? [];
    if (name === undefined || text[close - 1] === "/") continue;
    if (slash === "/") open.pop();
    else open.push(name);
  }
  return (
    text.slice(0, end) +
    open
      .toReversed()
      .map((name) => `</${name}>`)
      .join("")
  );
}

const markup = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;
const maxName = 256;

/** The index of the bracket that ends a tag or a DOCTYPE, outside of quotes and square brackets; -1 without one. */
function endOfTag(text: string, start: number): number {
  let quote = "";
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string;
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "[") depth++;
    else if (character === "]") depth--;
    else if (character === ">" && depth <= 0) return at;
  }
  return -1;
}

/** YAML: cut before the last entry of the outermost level that the second half shows. */
function cutYaml(text: string): string {
  const entry = /\n(?=([ ]*)(?:- |["']?[\w$./-]+["']?:(?:\s|$)|---))/g;
  let end = text.lastIndexOf("\n") + 1;
  let least = Infinity;
  for (const { index, 1: indent = "" } of text.matchAll(entry)) {
    if (index < text.length / 2 || indent.length > least) continue;
    least = indent.length;
    end = index + 1;
  }
  return text.slice(0, end);
}
