import { OptionFault } from "../fault.ts";

export interface Token {
  readonly kind: "name" | "column" | "text" | "number" | "symbol" | "end";
  /** Without quotes. */
  readonly text: string;
  /** Index in the expression, in UTF-16 code units. */
  readonly at: number;
}

const symbols = ["<=", ">=", "==", "!=", "<>", "(", ")", ",", "+", "-", "*", "/", "%", "<", ">", "="];

/** Splits an expression into tokens, with an end. @throws OptionFault with the index of what is none */
export function lexExpression(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const space = match(source, at, /\s+/y);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const token = readToken(source, at);
    tokens.push(token.token);
    at = token.to;
  }
  tokens.push({ kind: "end", text: "", at });
  return tokens;
}

function readToken(source: string, at: number): { token: Token; to: number } {
  const quote = source[at] as string;
  if (quote === "'" || quote === '"' || quote === "`") return readQuoted(source, at, quote);
  const number = match(source, at, /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y);
  if (number !== undefined) {
    const text = number.startsWith(".") ? `0${number}` : number.replace(/^0+(?=\d)/, "");
    return { token: { kind: "number", text, at }, to: at + number.length };
  }
  const name = match(source, at, /[\p{L}_][\p{L}\p{M}\p{N}_.]*/uy);
  if (name !== undefined) return { token: { kind: "name", text: name, at }, to: at + name.length };
  const symbol = symbols.find((one) => source.startsWith(one, at));
  if (symbol === undefined)
    throw new OptionFault(
      `Unexpected ${JSON.stringify(String.fromCodePoint(source.codePointAt(at) as number))}: put texts in quotes, and names of columns with other characters than letters and digits in backquotes`,
      { index: at },
    );
  return { token: { kind: "symbol", text: symbol, at }, to: at + symbol.length };
}

/** A quote is doubled within its own kind. */
function readQuoted(source: string, at: number, quote: string): { token: Token; to: number } {
  let text = "";
  let from = at + 1;
  for (;;) {
    const end = source.indexOf(quote, from);
    if (end < 0) throw new OptionFault(`The closing ${quote} is missing`, { index: at });
    text += source.slice(from, end);
    if (source[end + 1] !== quote)
      return { token: { kind: quote === "`" ? "column" : "text", text, at }, to: end + 1 };
    text += quote;
    from = end + 2;
  }
}

function match(source: string, at: number, pattern: RegExp): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}
