import { OptionFault } from "../fault.ts";
import { lexExpression, type Token } from "./lex.ts";

export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "contains"
  | "startswith"
  | "endswith";

export type Expression =
  | { readonly kind: "text" | "number"; readonly value: string }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "column"; readonly name: string; readonly at: number }
  | { readonly kind: "not" | "negate"; readonly operand: Expression }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "in"; readonly value: Expression; readonly items: readonly Expression[] }
  | { readonly kind: "matches"; readonly value: Expression; readonly pattern: string; readonly at: number }
  | { readonly kind: "call"; readonly name: FunctionName; readonly args: readonly Expression[] };

/** Functions with the number of their arguments. */
export const functionArity = { if: 3, lower: 1, upper: 1, trim: 1, length: 1, number: 1, date: 1 } as const;
export type FunctionName = keyof typeof functionArity;

/** Deepest nesting of an expression: it is read and compiled by recursion. */
const maxNesting = 200;
const maxOperators = 1000;

const comparisons: Readonly<Record<string, BinaryOperator>> = {
  "=": "=",
  "==": "=",
  "!=": "!=",
  "<>": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  contains: "contains",
  startswith: "startswith",
  endswith: "endswith",
};

/**
 * Parses an expression over the columns of a record. Words of the language are the same in capitals.
 * @throws OptionFault with the index of the fault
 */
export function parseExpression(source: string): Expression {
  const tokens = lexExpression(source);
  let at = 0;
  let nesting = 0;
  let operators = 0;
  const peek = (): Token => tokens[at] as Token;
  const word = (): string => {
    const { kind, text } = peek();
    return kind === "name" ? text.toLowerCase() : kind === "symbol" ? text : "";
  };
  const accept = (...words: string[]): string | undefined => {
    const found = word();
    if (!words.includes(found)) return undefined;
    at++;
    return found;
  };
  const unexpected = (wanted: string): OptionFault => {
    const { kind, text, at: index } = peek();
    const what = kind === "end" ? "the end" : JSON.stringify(text.slice(0, 64));
    return new OptionFault(`Unexpected ${what}, expected ${wanted}`, { index });
  };
  const expect = (symbol: string): void => {
    if (accept(symbol) === undefined) throw unexpected(symbol);
  };
  const nest = <T>(parse: () => T): T => {
    if (++nesting > maxNesting)
      throw new OptionFault(`The expression nests deeper than ${maxNesting} levels`, { index: peek().at });
    const parsed = parse();
    nesting--;
    return parsed;
  };
  const chain = (next: () => Expression, ...words: string[]): Expression => {
    let left = next();
    for (let found = accept(...words); found !== undefined; found = accept(...words)) {
      const right = next();
      left =
        found === "and" || found === "or"
          ? { kind: found, left, right }
          : { kind: "binary", operator: found as BinaryOperator, left, right };
      if (++operators > maxOperators)
        throw new OptionFault(`The expression has more than ${maxOperators} operators`, { index: peek().at });
    }
    return left;
  };
  const or = (): Expression => nest(() => chain(and, "or"));
  const and = (): Expression => chain(not, "and");
  const not = (): Expression =>
    nest(() => (accept("not") === undefined ? comparison() : { kind: "not", operand: not() }));
  const comparison = (): Expression => {
    const left = sum();
    const negated = accept("not") !== undefined;
    const compared = compare(left);
    if (compared === undefined && negated) throw unexpected("in, contains, startsWith, endsWith or matches");
    return negated ? { kind: "not", operand: compared as Expression } : (compared ?? left);
  };
  const compare = (left: Expression): Expression | undefined => {
    if (accept("in") !== undefined) return { kind: "in", value: left, items: list() };
    if (accept("matches") !== undefined) {
      const { kind, text, at: index } = peek();
      if (kind !== "text") throw unexpected("a regular expression in quotes");
      at++;
      return { kind: "matches", value: left, pattern: text, at: index };
    }
    const operator = accept(...Object.keys(comparisons));
    if (operator === undefined) return undefined;
    return { kind: "binary", operator: comparisons[operator] as BinaryOperator, left, right: sum() };
  };
  const sum = (): Expression => chain(product, "+", "-");
  const product = (): Expression => chain(unary, "*", "/", "%");
  const unary = (): Expression =>
    nest(() => (accept("-") === undefined ? primary() : { kind: "negate", operand: unary() }));
  const list = (): Expression[] => {
    expect("(");
    const items = [or()];
    while (accept(",") !== undefined) items.push(or());
    expect(")");
    return items;
  };
  const primary = (): Expression => {
    const { kind, text, at: index } = peek();
    if (accept("(") !== undefined) {
      const inner = or();
      expect(")");
      return inner;
    }
    if (kind === "symbol" || kind === "end") throw unexpected("a value");
    at++;
    if (kind === "text" || kind === "number") return { kind, value: text };
    if (kind === "name" && word() === "(") return call(text, index);
    if (kind === "name" && /^(?:true|false)$/i.test(text))
      return { kind: "boolean", value: text.toLowerCase() === "true" };
    return { kind: "column", name: text, at: index };
  };
  const call = (text: string, index: number): Expression => {
    const name = text.toLowerCase();
    if (!Object.hasOwn(functionArity, name))
      throw new OptionFault(
        `${text.slice(0, 64)} is not a function; there are ${Object.keys(functionArity).join(", ")}`,
        { index },
      );
    const args = list();
    const arity = functionArity[name as FunctionName];
    if (args.length !== arity)
      throw new OptionFault(`${name} takes ${arity} arguments, got ${args.length}`, { index });
    return { kind: "call", name: name as FunctionName, args };
  };
  const parsed = or();
  if (peek().kind !== "end") throw unexpected("an operator or the end");
  return parsed;
}
