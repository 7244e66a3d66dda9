import { OptionFault } from "../fault.ts";

export type TokenKind =
  | "identifier"
  | "quoted"
  | "number"
  | "literal"
  | "raw"
  | "end"
  | "."
  | "*"
  | "["
  | "]"
  | "[]"
  | "[?"
  | "{"
  | "}"
  | "("
  | ")"
  | ","
  | ":"
  | "@"
  | "&"
  | "&&"
  | "|"
  | "||"
  | "!"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">=";

export interface Token {
  kind: TokenKind;
  /** The name, digits, decoded string, or JSON of a literal. */
  text: string;
  /** Offset in the expression, in UTF-16 code units. */
  index: number;
}

const operators = ["[?", "[]", "&&", "||", "==", "!=", "<=", ">="];
const single = ".*[]{}(),:@&|!<>";

/**
 * Returns the tokens of a JMESPath expression, followed by an end token.
 * @throws OptionFault
 */
export function toTokens(expression: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < expression.length) {
    const unit = expression[at] as string;
    if (/[ \t\r\n]/.test(unit)) {
      at++;
      continue;
    }
    const token = readToken(expression, at, unit);
    tokens.push({ kind: token.kind, text: token.text, index: at });
    at = token.end;
  }
  tokens.push({ kind: "end", text: "", index: at });
  return tokens;
}

function readToken(
  expression: string,
  at: number,
  unit: string,
): { kind: TokenKind; text: string; end: number } {
  if (/[A-Za-z_]/.test(unit)) return readWord(expression, at, /[A-Za-z_]\w*/y, "identifier");
  if (/[-\d]/.test(unit)) return readWord(expression, at, /-?\d+/y, "number");
  if (unit === '"' || unit === "'" || unit === "`") return readQuoted(expression, at, unit);
  const double = expression.slice(at, at + 2);
  if (operators.includes(double)) return { kind: double as TokenKind, text: double, end: at + 2 };
  if (single.includes(unit)) return { kind: unit as TokenKind, text: unit, end: at + 1 };
  throw new OptionFault(unit === "=" ? "Compare with ==, not with =" : "Unexpected character", { index: at });
}

function readWord(
  expression: string,
  at: number,
  pattern: RegExp,
  kind: TokenKind,
): ReturnType<typeof readToken> {
  pattern.lastIndex = at;
  const text = pattern.exec(expression)?.[0];
  if (text === undefined) throw new OptionFault("A digit must follow the minus sign", { index: at });
  return { kind, text, end: at + text.length };
}

function readQuoted(expression: string, at: number, quote: string): ReturnType<typeof readToken> {
  let end = at + 1;
  while (end < expression.length && expression[end] !== quote) end += expression[end] === "\\" ? 2 : 1;
  if (end >= expression.length) throw new OptionFault(`The closing ${quote} is missing`, { index: at });
  const inner = expression.slice(at + 1, end);
  if (quote === "'") return { kind: "raw", text: inner.replaceAll("\\'", "'"), end: end + 1 };
  if (quote === "`") return { kind: "literal", text: inner.replaceAll("\\`", "`"), end: end + 1 };
  try {
    return { kind: "quoted", text: JSON.parse(`"${inner}"`) as string, end: end + 1 };
  } catch {
    throw new OptionFault("A quoted name is written as a JSON string", { index: at });
  }
}
