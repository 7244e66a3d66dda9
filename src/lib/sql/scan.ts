import { DocumentFault } from "../fault.ts";
import type { Lexis } from "./lexis.ts";

export interface SqlToken {
  /** A sign is one character. No formatter may change text: strings, quoted names, templates. */
  kind: "word" | "sign" | "text" | "line-comment" | "block-comment";
  start: number;
  end: number;
}

/** Most characters of a template; an unclosed one must not make each of the others search the whole document. */
export const maxTemplate = 1000;
export const maxTemplateComment = 20_000;

const space = /\s*/y;
const word = /[\p{L}\p{N}_$@#]+/uy;
const dollarTag = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
const alternative = /n?q'(?=[^\s'])/iy;
const path = /@(?:[~%\w."$]+)(?:\/[^\s;,()']*)?|file:\/\/[^\s;,()']*/y;
/** Variables of SQL*Plus with the names around them, as in tab_&x and &owner..tab. */
export const substitution = /[\w$#]*&{1,2}\w[\w$#]*(?:\.[\w$#]*)*/y;
const escaped = /[eE]'/y;
const pairs: Record<string, string> = { "[": "]", "(": ")", "{": "}", "<": ">" };

/**
 * Returns the token at or after an index, undefined at the end. It knows no keywords.
 * @throws DocumentFault with the index of a quote or comment that is not closed.
 */
export function nextToken(text: string, from: number, lexis: Lexis): SqlToken | undefined {
  const start = after(space, text, from);
  const character = text[start];
  if (character === undefined) return undefined;
  const token = (kind: SqlToken["kind"], end: number): SqlToken => ({ kind, start, end });
  if (after(lexis.lineComments, text, start) > start) {
    const end = text.slice(start, start + 65_536).search(/[\r\n]/);
    return token("line-comment", end === -1 ? lineEnd(text, start) : start + end);
  }
  if (text.startsWith("/*", start))
    return token("block-comment", commentEnd(text, start, lexis.nestedComments));
  const template = lexis.templates ? templateEnd(text, start) : start;
  if (template > start) return token("text", template);
  const end = quoteEnd(text, start, character, lexis);
  if (end > start) return token("text", end);
  if (lexis.substitutions) {
    const variableEnd = after(substitution, text, start);
    if (variableEnd > start) return token("text", variableEnd);
  }
  if (lexis.paths) {
    const pathEnd = after(path, text, start);
    if (pathEnd > start) return token("text", pathEnd);
  }
  const wordEnd = after(word, text, start);
  if (wordEnd > start) return token("word", wordEnd);
  return token("sign", start + (/[\uD800-\uDBFF]/.test(character) ? 2 : 1));
}

/** The index of the line break after an index, or of the end. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  if (end === -1) return text.length;
  return end > from && text[end - 1] === "\r" ? end - 1 : end;
}

function quoteEnd(text: string, start: number, character: string, lexis: Lexis): number {
  const { backslashes } = lexis;
  if (lexis.tripleQuotes) {
    const triple = text.slice(start, start + 3);
    if (triple === "'''" || triple === '"""') return closing(text, start, start + 3, triple);
  }
  if (character === "'") return stringEnd(text, start, start, lexis, backslashes);
  if (after(escaped, text, start) > start)
    return stringEnd(text, start, start + 1, lexis, backslashes || lexis.adjacentStrings);
  if (character === '"') return quotedEnd(text, start, start, '"', backslashes);
  if (character === "`" && lexis.backticks) return quotedEnd(text, start, start, "`", false);
  if (character === "[" && lexis.brackets) return quotedEnd(text, start, start, "]", false);
  if (character === "$" && lexis.dollarQuotes) {
    const open = after(dollarTag, text, start);
    if (open > start) return closing(text, start, open, text.slice(start, open));
  }
  if (lexis.alternativeQuotes) {
    const open = after(alternative, text, start);
    if (open > start) {
      const delimiter = text[open] ?? "";
      return closing(text, start, open + 1, `${pairs[delimiter] ?? delimiter}'`);
    }
  }
  return start;
}

/** The end of a string, and of those after it that continue it. */
function stringEnd(text: string, start: number, quote: number, lexis: Lexis, backslashes: boolean): number {
  let end = quotedEnd(text, start, quote, "'", backslashes, lexis.templates);
  while (lexis.adjacentStrings) {
    const next = after(space, text, end);
    if (text[next] !== "'" || !/[\r\n]/.test(text.slice(end, next))) break;
    end = quotedEnd(text, next, next, "'", backslashes, lexis.templates);
  }
  return end;
}

/** @param templates Whether quotes in templates count as theirs, as in '{{ var('day') }}'. */
function quotedEnd(
  text: string,
  start: number,
  open: number,
  quote: string,
  backslashes: boolean,
  templates = false,
): number {
  for (let at = open + 1; at < text.length; at++) {
    const character = text[at];
    if (character === "\\" && backslashes) at++;
    else if (character === "{" && templates) {
      const inner = /^\{\{[^{}\r\n]{0,500}\}\}/.exec(text.slice(at, at + 510))?.[0] ?? "";
      if (inner.split(quote).length % 2 === 1) at += Math.max(0, inner.length - 1);
    } else if (character === quote) {
      if (text[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  throw unclosed(start, quote === "'" ? "string" : "quoted name");
}

function closing(text: string, start: number, from: number, end: string): number {
  const at = text.indexOf(end, from);
  if (at === -1) throw unclosed(start, "string");
  return at + end.length;
}

function commentEnd(text: string, start: number, nested: boolean): number {
  if (!nested) {
    const end = text.indexOf("*/", start + 2);
    if (end === -1) throw unclosed(start, "comment");
    return end + 2;
  }
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  throw unclosed(start, "comment");
}

function templateEnd(text: string, start: number): number {
  const open = text.slice(start, start + 2);
  const close = { "{{": "}}", "{%": "%}", "{#": "#}", "${": "}", "#{": "}" }[open];
  if (close === undefined) return start;
  const max = open === "{#" ? maxTemplateComment : maxTemplate;
  const inner = text.slice(start + 2, start + 2 + max + close.length);
  const end = inner.indexOf(close);
  if (end === -1 || (close === "}" && inner.slice(0, end).includes("{"))) return start;
  return start + 2 + end + close.length;
}

const unclosed = (index: number, what: string): DocumentFault =>
  new DocumentFault(`The ${what} that begins here is not closed. Check the dialect and the quotes.`, {
    index,
  });

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
