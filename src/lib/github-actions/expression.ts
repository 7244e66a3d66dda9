import type { Expr } from "@actions/expressions";
import type { Token } from "@actions/expressions/lexer";
import { contextNames } from "./contexts.ts";
import type { Library } from "./library.ts";

/** One expression in a text, without its braces. */
export interface Expression {
  text: string;
  /** Where it begins in the text. */
  from: number;
}

/** Returns the expressions between `${{` and `}}`; none after one that is not closed. */
export function findExpressions(text: string): Expression[] {
  const found: Expression[] = [];
  for (let start = text.indexOf("${{"); start !== -1;) {
    let inText = false;
    let end = -1;
    for (let at = start + 3; at < text.length; at++) {
      if (text[at] === "'") inText = !inText;
      else if (!inText && text[at] === "}" && text[at + 1] === "}") {
        end = at;
        break;
      }
    }
    if (end < 0) break;
    found.push({ text: text.slice(start + 3, end), from: start + 3 });
    start = text.indexOf("${{", end);
  }
  return found;
}

/** A member of a context, such as `steps.build.outputs.path`. */
export interface Reference {
  /** In lower case, as all names: contexts do not distinguish cases. `*` is any index, undefined one that is computed. */
  path: readonly (string | undefined)[];
  /** The members as written. */
  written: readonly string[];
  /** Where each begins in the text that has the expression. */
  places: readonly number[];
  /** Whether the value becomes a part of the text in the place of the expression, and is not only compared. */
  flows: boolean;
  /** Whether it is an argument of toJSON. */
  whole: boolean;
}

/** A call of a function with the texts among its arguments. */
export interface Call {
  name: string;
  place: number;
  /** The literal texts; undefined for other arguments. */
  texts: readonly (string | undefined)[];
  references: readonly (string | undefined)[];
}

/** A comparison of a member with a text. */
export interface Comparison {
  path: string;
  text: string;
  place: number;
}

export interface Parsed {
  references: Reference[];
  calls: Call[];
  comparisons: Comparison[];
  /** The members that are compared with anything. */
  compared: { path: string; place: number }[];
  /** Whether no context and no function makes its value vary. */
  constant: boolean;
  /** Whether the expression is a context or member alone. */
  alone: boolean;
}

/** Functions whose values contain those of their arguments. */
const passing = new Set(["format", "join", "tojson", "fromjson", "case"]);
const statusFunctions = ["always", "success", "failure", "cancelled", "hashFiles"];

/** Reads what an expression refers to; undefined if its syntax is wrong, which the library reports. */
export function parseExpression(library: Library, { text, from }: Expression): Parsed | undefined {
  const root = parse(library, text);
  if (root === undefined) return undefined;
  const { ast } = library;
  const lines = lineStarts(text);
  const placeOf = ({ range }: Token): number => from + (lines[range.start.line] ?? 0) + range.start.column;
  const parsed: Parsed = {
    references: [],
    calls: [],
    comparisons: [],
    compared: [],
    constant: true,
    alone: root instanceof ast.ContextAccess || root instanceof ast.IndexAccess,
  };
  // Iterative: a chain of comparisons is as deep as it is long.
  const open: { expr: Expr; flows: boolean; whole: boolean }[] = [{ expr: root, flows: true, whole: false }];
  const add = (expr: Expr, flows: boolean, whole = false): void => void open.push({ expr, flows, whole });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { expr, flows, whole } = next;
    if (expr instanceof ast.Grouping) add(expr.group, flows, whole);
    else if (expr instanceof ast.Unary) add(expr.expr, false);
    else if (expr instanceof ast.Binary) {
      compare(expr.left, expr.right);
      compare(expr.right, expr.left);
      add(expr.left, false);
      add(expr.right, false);
    } else if (expr instanceof ast.Logical) {
      // `a && b` is b if a is true.
      for (const [index, arg] of expr.args.entries())
        add(arg, flows && (expr.operator.lexeme === "||" || index === expr.args.length - 1));
    } else if (expr instanceof ast.FunctionCall) readCall(expr, flows);
    else if (expr instanceof ast.ContextAccess || expr instanceof ast.IndexAccess)
      readChain(expr, flows, whole);
  }
  return parsed;

  function readCall({ functionName, args }: InstanceType<typeof ast.FunctionCall>, flows: boolean): void {
    const name = functionName.lexeme.toLowerCase();
    if (
      !["format", "join", "tojson", "fromjson", "contains", "startswith", "endswith", "case"].includes(name)
    )
      parsed.constant = false;
    parsed.calls.push({
      name,
      place: placeOf(functionName),
      texts: args.map((arg) =>
        arg instanceof ast.Literal && typeof arg.token.value === "string" ? arg.token.value : undefined,
      ),
      references: args.map((arg) => chainOf(arg)?.path.join(".")),
    });
    for (const arg of args) add(arg, flows && passing.has(name), name === "tojson");
  }

  function compare(one: Expr, other: Expr): void {
    const chain = chainOf(one);
    if (chain === undefined || chain.root !== undefined) return;
    const [path, place] = [chain.path.join("."), chain.places[0] ?? from];
    parsed.compared.push({ path, place });
    if (other instanceof ast.Literal && typeof other.token.value === "string")
      parsed.comparisons.push({ path, text: other.token.value, place });
  }

  function readChain(expr: Expr, flows: boolean, whole: boolean): void {
    const chain = chainOf(expr);
    parsed.constant = false;
    for (const index of chain?.computed ?? []) add(index, false);
    if (chain?.root !== undefined) add(chain.root, flows);
    if (chain !== undefined && chain.root === undefined)
      parsed.references.push({
        path: chain.path,
        written: chain.written,
        places: chain.places,
        flows,
        whole,
      });
  }

  /** Returns the context and members of nested accesses, or what stands in the place of the context. */
  function chainOf(expr: Expr) {
    const path: (string | undefined)[] = [];
    const written: string[] = [];
    const places: number[] = [];
    const computed: Expr[] = [];
    let at = expr;
    while (at instanceof ast.IndexAccess) {
      const { index } = at;
      const isName = index instanceof ast.Literal && typeof index.token.value !== "boolean";
      const name = isName ? String(index.token.value ?? index.token.lexeme) : undefined;
      // The parser of the library takes the numbers of indexes as floats.
      const token = name === undefined ? undefined : /^\d+$/.test(name) ? "*" : name.toLowerCase();
      path.unshift(index instanceof ast.Star ? "*" : token);
      written.unshift(name ?? "*");
      places.unshift(isName ? placeOf(index.token) : from);
      if (!isName && !(index instanceof ast.Star)) computed.push(index);
      at = at.expr;
    }
    if (!(at instanceof ast.ContextAccess))
      return path.length === 0 ? undefined : { path, written, places, computed, root: at };
    path.unshift(at.name.lexeme.toLowerCase());
    written.unshift(at.name.lexeme);
    places.unshift(placeOf(at.name));
    return { path, written, places, computed, root: undefined };
  }
}

function parse({ Lexer, Parser }: Library, text: string): Expr | undefined {
  const functions = statusFunctions.map((name) => ({ name, minArgs: 0, maxArgs: 255 }));
  try {
    return new Parser(new Lexer(text).lex().tokens, contextNames, functions).parse();
  } catch (error) {
    if (error instanceof Error && !(error instanceof RangeError)) return undefined;
    throw error;
  }
}

/** Returns where each line of a text begins. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
