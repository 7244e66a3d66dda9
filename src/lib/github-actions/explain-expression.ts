import { nearest } from "../nearest.ts";
import { contextNames, functionNames } from "./contexts.ts";
import { type ScalarNode, quote } from "./node.ts";
import type { Library } from "./library.ts";

/** Returns what an error in the syntax of an expression means, with its place in the text. */
export function explainExpression(
  library: Library,
  node: ScalarNode,
  error: Error,
  from = 0,
): { message: string; more: { character: number } } {
  if (!(error instanceof library.ExpressionError)) return explainLexical(node, error, from);
  // The declaration of the library hides the token.
  const { tok } = error as unknown as { tok: { lexeme: string } };
  const word = tok.lexeme;
  const start = Math.max(0, node.text.indexOf(word, from));
  const more = { character: word === "" ? from : start };
  const { message } = error;
  const kind = /^[^:']+/.exec(message)?.[0].trim() ?? "";
  return { message: describe(kind, word), more };
}

function describe(kind: string, word: string): string {
  switch (kind) {
    case "Unrecognized named-value":
      return describeContext(word);
    case "Unrecognized function": {
      const near = nearest(word, functionNames);
      if (functionNames.some((name) => name.toLowerCase() === word.toLowerCase()))
        return `The function ${quote(word)} is not available here.`;
      return `There is no function ${quote(word)}.${near === undefined ? ` Functions: ${functionNames.join(", ")}.` : ` Did you mean ${near}?`}`;
    }
    case "Too few parameters supplied":
      return `The function ${quote(word)} needs more arguments.`;
    case "Too many parameters supplied":
      return `The function ${quote(word)} takes fewer arguments.`;
    case "Unexpected end of expression":
      return "The expression ends too early.";
    case "Unexpected symbol":
      return word === "" ? "The expression ends too early." : `Unexpected ${quote(word)} in the expression.`;
    default:
      if (kind.startsWith("Exceeded max expression depth"))
        return "The expression nests more than 50 levels deep.";
      return `The function ${quote(word)} needs an odd number of arguments.`;
  }
}

function describeContext(word: string): string {
  const name = contextNames.find((one) => one === word.toLowerCase());
  if (name !== undefined) return `The context ${name} is not available here.`;
  const near = nearest(word, contextNames);
  const advice =
    near !== undefined
      ? ` Did you mean ${near}?`
      : ` A text needs single quotation marks; contexts are ${contextNames.join(", ")}.`;
  return `There is no context ${quote(word)}.${advice}`;
}

/** Errors of the lexer are plain, and quote the whole expression. */
function explainLexical(
  node: ScalarNode,
  { message }: Error,
  from: number,
): { message: string; more: { character: number } } {
  const [, symbol = "", place = "1"] =
    /^Unexpected symbol: '([^]*?)'\. Located at position (\d+) within expression/.exec(message) ?? [];
  if (message === "ErrorExceededMaxLength")
    return { message: "The expression has more than 21000 characters.", more: { character: from } };
  if (message === "An expression was expected")
    return {
      message: "There is no expression between ${{ and }}.",
      more: { character: Math.max(from, node.text.search(/\$\{\{\s*\}\}/)) },
    };
  const character = Math.max(0, node.text.indexOf(symbol, from));
  if (symbol === "" && Number(place) === 1)
    return { message: "The expression cannot be read.", more: { character: from } };
  const advice = symbol.startsWith('"')
    ? " A text needs single quotation marks."
    : symbol.startsWith("'")
      ? " The text lacks its closing quotation mark."
      : "";
  return { message: `Unexpected ${quote(symbol)} in the expression.${advice}`, more: { character } };
}
