import type { JsonDialect } from "./source.ts";

/** The first character of a token; `word` for numbers, literals and unquoted keys. */
export type TokenKind = "{" | "}" | "[" | "]" | "," | ":" | '"' | "/" | "word" | "end";

/** Reads the tokens of a valid document of any dialect, comments included, one after another. */
export interface Tokens {
  readonly kind: TokenKind;
  /** In UTF-16 code units. */
  readonly from: number;
  readonly to: number;
  /** Line breaks between the previous token and this one. */
  readonly breaks: number;
  /** Reports whether a word is a number. */
  isNumber(): boolean;
  /** Moves to the next token; at the end its kind is `end`. */
  next(): void;
}

/** The text must be a valid document of the dialect: no error is detected here. */
export function createTokens(text: string, dialect: JsonDialect): Tokens {
  const lineEnd = dialect === "json5" ? /[\n\r\u2028\u2029]/g : /[\n\r]/g;
  const tokens = { kind: "end" as TokenKind, from: 0, to: 0, breaks: 0, isNumber, next };
  return tokens;

  function isNumber(): boolean {
    return /[-+.\d]/.test(text[tokens.from] ?? "");
  }

  function next(): void {
    let at = tokens.to;
    let breaks = 0;
    let unit = text.charCodeAt(at);
    for (; isSpace(unit); unit = text.charCodeAt(++at)) {
      if (unit === 0x0a || (unit === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) breaks++;
    }
    tokens.from = at;
    tokens.breaks = breaks;
    if (at >= text.length) {
      tokens.kind = "end";
      tokens.to = at;
    } else if (unit === 0x22 || unit === 0x27) {
      tokens.kind = '"';
      tokens.to = endOfString(text, at);
    } else if (unit === 0x2f) {
      tokens.kind = "/";
      tokens.to = endOfComment(at);
    } else if (isPunctuation(unit)) {
      tokens.kind = text[at] as TokenKind;
      tokens.to = at + 1;
    } else {
      tokens.kind = "word";
      while (at < text.length && !isEndOfWord(unit)) unit = text.charCodeAt(++at);
      tokens.to = at;
    }
  }

  function endOfComment(from: number): number {
    if (text.charCodeAt(from + 1) === 0x2a) return text.indexOf("*/", from + 2) + 2;
    lineEnd.lastIndex = from;
    return lineEnd.exec(text)?.index ?? text.length;
  }
}

function endOfString(text: string, from: number): number {
  const quote = text.charCodeAt(from);
  let at = from + 1;
  for (let unit = text.charCodeAt(at); unit !== quote; unit = text.charCodeAt(at))
    at += unit === 0x5c ? 2 : 1;
  return at + 1;
}

const isSpace = (unit: number): boolean =>
  unit === 0x20 ||
  (unit >= 0x09 && unit <= 0x0d) ||
  // The white space of JSON5, section 8, is that of ECMAScript.
  (unit >= 0x80 && /\s/.test(String.fromCharCode(unit)));

/** `, : [ ] { }` */
const isPunctuation = (unit: number): boolean =>
  unit === 0x2c || unit === 0x3a || unit === 0x5b || unit === 0x5d || unit === 0x7b || unit === 0x7d;

const isEndOfWord = (unit: number): boolean =>
  isPunctuation(unit) || unit === 0x2f || unit === 0x22 || unit === 0x27 || isSpace(unit);
