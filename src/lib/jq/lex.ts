import { OptionFault } from "../fault.ts";
import { escapes } from "./json-parts.ts";

export interface Token {
  /** `field` is a dot with a name; `word` an identifier or keyword; `symbol` an operator or bracket. */
  kind: "field" | "word" | "variable" | "format" | "number" | "string" | "symbol" | "end";
  text: string;
  /** The pieces of a string, and the tokens of each interpolation. */
  parts?: (string | Token[])[];
  /** Offset in the program, in UTF-16 code units. */
  at: number;
}

/** Reports whether a token is a name, which keywords are too as keys and fields. */
export const isName = ({ kind, text }: Token): boolean => kind === "word" && !text.includes("::");

const symbols = [
  "?//",
  "//=",
  "|=",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "==",
  "!=",
  "<=",
  ">=",
  "//",
  "..",
  ...".[]{}()|,:;=<>+-*/%?$",
];

const space = /(?:[ \t\r\n]+|#(?:\\(?:\r\n|[^])|[^\\\r\n])*)+/y;
const field = /\.[A-Za-z_]\w*/y;
const name = /(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/y;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const formatName = /@\w+/y;
const variable = /\$(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/y;

/** Interpolations within interpolations. */
const maxNesting = 64;

/**
 * Returns the tokens of a program, followed by an end token.
 * @throws OptionFault
 */
export function toTokens(program: string): Token[] {
  let at = 0;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(program)?.[0];
  };

  function readTokens(nesting: number): Token[] {
    const tokens: Token[] = [];
    let open = 0;
    for (;;) {
      at += match(space)?.length ?? 0;
      if (at >= program.length) break;
      const unit = program[at] as string;
      if (nesting > 0 && unit === ")" && open === 0) break;
      if (unit === "(") open++;
      else if (unit === ")") open--;
      tokens.push(readToken(unit, nesting));
    }
    tokens.push({ kind: "end", text: "", at });
    return tokens;
  }

  function readToken(unit: string, nesting: number): Token {
    const from = at;
    const make = (kind: Token["kind"], text: string, shown = text): Token => {
      at += text.length;
      return { kind, text: shown, at: from };
    };
    if (unit === '"') return readString(nesting);
    const digits = match(number);
    if (digits !== undefined) return make("number", digits);
    const dotted = match(field);
    if (dotted !== undefined) return make("field", dotted, dotted.slice(1));
    const word = match(name);
    if (word !== undefined) return make("word", word);
    const format = match(formatName);
    if (format !== undefined) return make("format", format);
    const bound = match(variable);
    if (bound !== undefined) return make("variable", bound, bound.slice(1));
    const symbol = symbols.find((one) => program.startsWith(one, at));
    if (symbol === undefined) throw new OptionFault("Unexpected character", { index: at });
    return make("symbol", symbol);
  }

  function readString(nesting: number): Token {
    const from = at++;
    const parts: (string | Token[])[] = [];
    let piece = "";
    for (;;) {
      const unit = program[at];
      if (unit === undefined) throw new OptionFault('The closing " is missing', { index: from });
      if (unit === '"') break;
      if (unit !== "\\") {
        const start = at;
        while (at < program.length && program[at] !== '"' && program[at] !== "\\") at++;
        piece += program.slice(start, at);
      } else if (program[at + 1] === "(") {
        if (nesting >= maxNesting) throw new OptionFault("Strings nest too deeply", { index: at });
        parts.push(piece);
        piece = "";
        at += 2;
        parts.push(readTokens(nesting + 1));
        if (program[at] !== ")")
          throw new OptionFault("The closing ) of an interpolation is missing", { index: from });
        at++;
      } else piece += readEscape();
    }
    at++;
    parts.push(piece);
    return { kind: "string", text: program.slice(from, at), parts, at: from };
  }

  function readEscape(): string {
    const letter = program[at + 1] ?? "";
    const plain = escapes[letter];
    if (plain !== undefined) {
      at += 2;
      return plain;
    }
    const digits = letter === "u" ? program.slice(at + 2, at + 6) : "";
    if (!/^[\da-fA-F]{4}$/.test(digits))
      throw new OptionFault('Not an escape; use one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX \\(…)', {
        index: at,
      });
    at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  return readTokens(0);
}
