import { DocumentFault, OptionFault } from "../fault.ts";
import { fromJson } from "../data/from-json.ts";
import type { Value } from "../data/value.ts";
import { type Token, type TokenKind, toTokens } from "./lex.ts";
import { createBracketParser, current } from "./parse-brackets.ts";
import { createTokenReader } from "./token-reader.ts";

export type Comparator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** A parsed JMESPath expression. */
export type Expression =
  | { kind: "current" }
  | { kind: "field"; name: string }
  | { kind: "literal"; value: Value }
  | { kind: "index"; index: number }
  | { kind: "slice"; start?: number; stop?: number; step?: number }
  /** `left.right`, `left[0]` and `left | right`: applies the right side to the result of the left. */
  | { kind: "chain"; left: Expression; right: Expression }
  | { kind: "project"; what: "items" | "values"; left: Expression; right: Expression }
  | { kind: "filter"; left: Expression; test: Expression; right: Expression }
  | { kind: "flatten"; left: Expression }
  | { kind: "compare"; operator: Comparator; left: Expression; right: Expression }
  | { kind: "and" | "or"; left: Expression; right: Expression }
  | { kind: "not"; operand: Expression }
  | { kind: "list"; items: Expression[] }
  | { kind: "hash"; members: [string, Expression][] }
  | { kind: "call"; name: string; parameters: Expression[]; index: number }
  | { kind: "reference"; expression: Expression };

/** Binding power of each token to the expression on its left; other tokens end an expression. */
const powers: Partial<Record<TokenKind, number>> = {
  "|": 1,
  "||": 2,
  "&&": 3,
  "==": 5,
  "!=": 5,
  "<": 5,
  "<=": 5,
  ">": 5,
  ">=": 5,
  "[]": 9,
  "*": 20,
  "[?": 21,
  ".": 40,
  "!": 45,
  "{": 50,
  "[": 55,
  "(": 60,
};

/** Tokens of a lower power end a projection. */
const projectionEnd = 10;

/**
 * Parses an expression (jmespath.org/specification).
 * @throws OptionFault
 */
export function parseJmespath(text: string): Expression {
  const tokens = createTokenReader(toTokens(text));
  const { peek, take, expect, fail } = tokens;
  const brackets = createBracketParser(tokens, { expression, projected });
  const powerOf = ({ kind }: Token): number => powers[kind] ?? 0;

  function expression(power: number): Expression {
    let left = start(take());
    while (power < powerOf(peek())) left = proceed(left, take());
    return left;
  }

  function start(token: Token): Expression {
    switch (token.kind) {
      case "identifier":
        return { kind: "field", name: token.text };
      case "quoted":
        if (peek().kind === "(") fail(peek(), "a function name without quotes");
        return { kind: "field", name: token.text };
      case "literal":
        return { kind: "literal", value: toLiteral(token) };
      case "raw":
        return { kind: "literal", value: token.text };
      case "@":
        return current;
      case "*":
        return { kind: "project", what: "values", left: current, right: projected(20) };
      case "[?":
        return brackets.filter(current);
      case "[]":
        return brackets.flatten(current);
      case "[":
        return brackets.access(current) ?? list();
      case "{":
        return hash();
      case "(": {
        const inner = expression(0);
        expect(")");
        return inner;
      }
      case "!":
        return { kind: "not", operand: expression(45) };
      case "&":
        return { kind: "reference", expression: expression(0) };
      default:
        return fail(token, "an expression");
    }
  }

  function proceed(left: Expression, token: Token): Expression {
    switch (token.kind) {
      case ".":
        if (peek().kind !== "*") return { kind: "chain", left, right: afterDot(40) };
        take();
        return { kind: "project", what: "values", left, right: projected(20) };
      case "|":
        return { kind: "chain", left, right: expression(1) };
      case "||":
        return { kind: "or", left, right: expression(2) };
      case "&&":
        return { kind: "and", left, right: expression(3) };
      case "==":
      case "!=":
      case "<":
      case "<=":
      case ">":
      case ">=":
        return { kind: "compare", operator: token.kind, left, right: expression(5) };
      case "(":
        if (left.kind !== "field") return fail(token, "a function name before it");
        return { kind: "call", name: left.name, parameters: separated(")"), index: token.index };
      case "[?":
        return brackets.filter(left);
      case "[]":
        return brackets.flatten(left);
      case "[":
        return brackets.access(left) ?? fail(peek(), "an index, a slice or *");
      default:
        return fail(token);
    }
  }

  /** Parses the expression that a projection applies to each of its results. */
  function projected(power: number): Expression {
    if (powerOf(peek()) < projectionEnd) return current;
    if (peek().kind === "[" || peek().kind === "[?") return expression(power);
    expect(".");
    return afterDot(power);
  }

  function afterDot(power: number): Expression {
    const { kind } = peek();
    if (kind === "identifier" || kind === "quoted" || kind === "*") return expression(power);
    if (kind === "[") {
      take();
      return list();
    }
    if (kind !== "{") return fail(peek(), "a name, *, [ or {");
    take();
    return hash();
  }

  const list = (): Expression => ({ kind: "list", items: separated("]", 1) });

  function separated(close: "]" | ")", least = 0): Expression[] {
    const items: Expression[] = [];
    while (peek().kind !== close || items.length < least) {
      items.push(expression(0));
      if (peek().kind !== ",") break;
      take();
      if (peek().kind === close) fail(peek(), "an expression");
    }
    expect(close);
    return items;
  }

  function hash(): Expression {
    const members: [string, Expression][] = [];
    do {
      const name = take();
      if (name.kind !== "identifier" && name.kind !== "quoted") fail(name, "a name");
      expect(":");
      members.push([name.text, expression(0)]);
    } while (peek().kind === "," && take());
    expect("}");
    return { kind: "hash", members };
  }

  const whole = expression(0);
  if (peek().kind !== "end") fail(peek(), "an operator");
  return whole;
}

/** JSON between backticks. Early versions treated other text as a string; this refuses it. */
function toLiteral({ text, index }: Token): Value {
  const trimmed = text.trim();
  try {
    return fromJson(trimmed);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw new OptionFault("Text between backticks must be JSON; write strings as `\"text\"` or 'text'", {
      index,
    });
  }
}
