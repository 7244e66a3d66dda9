import { OptionFault } from "../fault.ts";
import { type Token, toTokens } from "./lex.ts";
import { createPatternParser } from "./parse-pattern.ts";
import { createTermParser } from "./parse-term.ts";
import type { BinaryOperator, Definition, Filter, UpdateOperator } from "./syntax.ts";

/** The parser that its parts share: the tokens, and the entry into the grammar from its top. */
export interface Parser {
  peek(ahead?: number): Token;
  take(): Token;
  /** Takes the next token if it is this symbol or word. */
  accept(text: string): boolean;
  expect(text: string): Token;
  fail(token: Token, wanted?: string): never;
  /** Parses `f | g`, the whole grammar. */
  pipe(): Filter;
  /** Parses the grammar without `|`, `,` and `as`. */
  operators(): Filter;
  /** Parses a string token. */
  text(token: Token, format: string | undefined): Filter;
  /** The line of a token in the program, from 1. */
  lineOf(token: Token): number;
  /** Enters a level of nesting. @throws OptionFault */
  nest<T>(token: Token, work: () => T): T;
}

/** Levels of nesting; each takes some frames of the stack here and when the filter runs. */
const maxNesting = 1000;
/** Operators of one chain, such as `1 + 1 + 1`. */
const maxChain = 1000;

/**
 * Parses a program of jq 1.8.
 * @throws OptionFault with the index of the fault
 */
export function parseJq(program: string): Filter {
  if (!program.isWellFormed()) throw new OptionFault("The filter has a lone surrogate");
  const tokens = toTokens(program);
  const first = tokens[0] as Token;
  if (first.kind === "word" && ["import", "include", "module"].includes(first.text))
    throw new OptionFault(
      `Modules are not supported; write the definitions into the filter instead of ${first.text}`,
      {
        index: first.at,
      },
    );
  if (first.kind === "end") return { kind: "identity" };
  return parseTokens(program, tokens, 0);
}

/** Binding power on the left and on the right; equal powers of `==` and its like do not associate. */
const powers: Readonly<Record<string, readonly [number, number]>> = {
  "//": [3, 2],
  "=": [4, 5],
  "|=": [4, 5],
  "+=": [4, 5],
  "-=": [4, 5],
  "*=": [4, 5],
  "/=": [4, 5],
  "%=": [4, 5],
  "//=": [4, 5],
  or: [6, 7],
  and: [8, 9],
  "==": [10, 11],
  "!=": [10, 11],
  "<": [10, 11],
  "<=": [10, 11],
  ">": [10, 11],
  ">=": [10, 11],
  "+": [12, 13],
  "-": [12, 13],
  "*": [14, 15],
  "/": [14, 15],
  "%": [14, 15],
};

const nonAssociative = new Set([4, 10]);

function parseTokens(program: string, tokens: readonly Token[], startNesting: number): Filter {
  let at = 0;
  let nesting = startNesting;

  const peek = (ahead = 0): Token => tokens[Math.min(at + ahead, tokens.length - 1)] as Token;
  const take = (): Token => tokens[Math.min(at++, tokens.length - 1)] as Token;
  const fail = (token: Token, wanted = ""): never => {
    const found = token.kind === "end" ? "the end" : JSON.stringify(token.text.slice(0, 40));
    throw new OptionFault(`Unexpected ${found}${wanted && `; expected ${wanted}`}`, { index: token.at });
  };
  const is = (token: Token, wanted: string): boolean =>
    token.text === wanted && (token.kind === "symbol" || token.kind === "word");
  const accept = (wanted: string): boolean => is(peek(), wanted) && (at++, true);
  const expect = (wanted: string): Token => (is(peek(), wanted) ? take() : fail(peek(), wanted));

  function nest<T>(token: Token, work: () => T): T {
    if (++nesting > maxNesting) throw new OptionFault("The filter nests too deeply", { index: token.at });
    const value = work();
    nesting--;
    return value;
  }

  function text(token: Token, format: string | undefined): Filter {
    const parts = (token.parts ?? []).map((part) => {
      if (typeof part === "string") return part.toWellFormed();
      return nest(token, () => parseTokens(program, part, nesting));
    });
    if (parts.length === 1) return { kind: "literal", value: parts[0] as string };
    return { kind: "text", format, parts, at: token.at };
  }

  function pipe(): Filter {
    return nest(peek(), () => {
      // A chain of pipes is a list here, so that its length costs no stack.
      const steps: ((right: Filter) => Filter)[] = [];
      let last: Filter;
      for (;;) {
        if (is(peek(), "def")) {
          const definition = define();
          steps.push((body) => ({ kind: "define", definition, body }));
          continue;
        }
        if (is(peek(), "label")) {
          take();
          const { kind, text: name } = peek();
          if (kind !== "variable") fail(peek(), "a name such as $out");
          take();
          expect("|");
          steps.push((body) => ({ kind: "label", name, body }));
          continue;
        }
        const left = commas(steps);
        if (left === undefined) continue;
        if (!accept("|")) {
          last = left;
          break;
        }
        steps.push((right) => ({ kind: "pipe", left, right }));
      }
      if (steps.length > maxChain)
        throw new OptionFault("The filter has too many steps", { index: peek().at });
      return steps.reduceRight((right, step) => step(right), last);
    });
  }

  /** Parses `a, b`; returns undefined after `… as $x |`, of which the rest of the pipe is the body. */
  function commas(steps: ((right: Filter) => Filter)[]): Filter | undefined {
    let left: Filter | undefined;
    const join = (right: Filter): Filter => (left === undefined ? right : { kind: "comma", left, right });
    for (let count = 0; ; count++) {
      if (count > maxChain) throw new OptionFault("The filter has too many commas", { index: peek().at });
      if (left !== undefined && (is(peek(), "def") || is(peek(), "label"))) return join(pipe());
      const source = operators();
      if (accept("as")) {
        const bound = patterns.list();
        expect("|");
        const before = left;
        steps.push((body) => {
          const binding: Filter = { kind: "bind", source, patterns: bound, body };
          return before === undefined ? binding : { kind: "comma", left: before, right: binding };
        });
        return undefined;
      }
      left = join(source);
      if (!accept(",")) return left;
    }
  }

  const operators = (): Filter => operation(0);

  function operation(least: number): Filter {
    return nest(peek(), () => {
      let left = operand();
      let forbidden = -1;
      for (let count = 0; ; count++) {
        const token = peek();
        const power = token.kind === "symbol" || token.kind === "word" ? powers[token.text] : undefined;
        if (power === undefined || power[0] < least || !Object.hasOwn(powers, token.text)) return left;
        if (power[0] === forbidden)
          throw new OptionFault(`${token.text} does not chain; use parentheses`, { index: token.at });
        if (count > maxChain) throw new OptionFault("The filter has too many operators", { index: token.at });
        take();
        left = combine(token.text, left, operation(power[1]));
        forbidden = nonAssociative.has(power[0]) ? power[0] : -1;
      }
    });
  }

  function operand(): Filter {
    if (!accept("-")) return terms.postfix();
    return { kind: "negate", operand: operation(14) };
  }

  function combine(operator: string, left: Filter, right: Filter): Filter {
    if (operator === "//") return { kind: "alternative", left, right };
    if (operator === "and" || operator === "or") return { kind: operator, left, right };
    if (operator === "=" || /^(?:\||\+|-|\*|\/|%|\/\/)=$/.test(operator))
      return { kind: "update", operator: operator as UpdateOperator, target: left, value: right };
    return { kind: "binary", operator: operator as BinaryOperator, left, right };
  }

  function define(): Definition {
    expect("def");
    const { kind, text: name } = take();
    if (kind !== "word") fail(peek(-1), "a name");
    const params: string[] = [];
    if (accept("(")) {
      do {
        const param = take();
        if (param.kind !== "word" && param.kind !== "variable") fail(param, "a parameter");
        params.push(param.kind === "variable" ? `$${param.text}` : param.text);
      } while (accept(";"));
      expect(")");
    }
    expect(":");
    const body = pipe();
    expect(";");
    return { name, params, body };
  }

  const lineOf = ({ at: index }: Token): number => program.slice(0, index).split("\n").length;
  const parser: Parser = { peek, take, accept, expect, fail, pipe, operators, text, lineOf, nest };
  const patterns = createPatternParser(parser);
  const terms = createTermParser(parser, patterns);
  const whole = pipe();
  if (peek().kind !== "end") fail(peek(), "an operator");
  return whole;
}
