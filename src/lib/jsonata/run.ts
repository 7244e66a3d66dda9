import { DocumentFault, OptionFault } from "../fault.ts";
import type { Expression } from "jsonata";
import { BudgetError, createBudget, evaluationBytes } from "../budget.ts";
import type { Value } from "../data/value.ts";
import { load } from "../load.ts";
import { bindWorld, type World } from "./functions.ts";
import { inspectQuery } from "./inspect.ts";
import { boundNatives, readNatives } from "./natives.ts";
import { type Node, visitNodes } from "./nodes.ts";
import { openExchange } from "./values.ts";

/**
 * Evaluates a JSONata expression on a document; null if it finds nothing. Its regular expressions are
 * JavaScript's and its loops may not end: run it only under a deadline and a memory limit.
 * @throws OptionFault if the expression is at fault, or fails on the document.
 * @throws DocumentFault with a pointer, if it would change a number of the document.
 * @throws AssertionError if the expression itself rejects the document, by `$error` or `$assert`.
 * @throws BudgetError if it makes too large a result.
 */
export async function runJsonata(query: string, document: Value, world: World): Promise<Value> {
  const { default: jsonata } = await load("jsonata");
  const check = (text: string) => inspectQuery(parse(text).ast(), text);
  const parse = (text: string): Expression => {
    try {
      return jsonata(text, limits);
    } catch (error) {
      throw toFault(error);
    }
  };
  const expression = parse(query);
  const { use, literals } = inspectQuery(expression.ast(), query);
  const exchange = openExchange(document, use, literals);
  try {
    const budget = createBudget();
    const natives = await readNatives(jsonata);
    boundNatives(expression, natives, budget);
    bindWorld(expression, natives, world, budget, check);
    visitNodes(expression.ast(), rewriteNode);
    // The library parses the text passed to `$eval`, so its nodes are only visible during evaluation.
    if (/\$\s*eval/.test(query)) expression.assign(beforeEach, rewriteNode);
    return exchange.toValue(await expression.evaluate(exchange.input));
  } catch (error) {
    throw toFault(error);
  }
}

/** A hook of the library, called before each node of an expression. */
const beforeEach = Symbol.for("jsonata.__evaluate_entry") as unknown as string;

/** Most items of one list, at 8 bytes each, and most nested calls. */
const limits = { sequence: evaluationBytes / 8, stack: 50_000 };

/** The library throws objects with a code, a message and the position after the faulty token. */
interface Problem {
  code?: unknown;
  message?: unknown;
  position?: unknown;
  /** The cause of a failure inside `$eval`. */
  error?: unknown;
}

/** Longest message: messages repeat values, and a value can be the whole document. */
const maxLength = 300;

function toFault(error: unknown): Error {
  const { code, message, position, error: inner } = error as Problem;
  // `$eval` wraps a failure once for each call around it.
  for (let cause = inner; cause !== undefined; cause = (cause as Problem).error)
    if (cause instanceof BudgetError) return cause;
  if (inner instanceof DocumentFault || inner instanceof OptionFault) return inner;
  if (error instanceof DocumentFault || error instanceof BudgetError) return error;
  if (code === "D2015") return new BudgetError(evaluationBytes);
  const index = typeof position === "number" && position > 0 ? position - 1 : undefined;
  if (error instanceof OptionFault) return new OptionFault(error.message, { index: error.index ?? index });
  if (error instanceof RangeError)
    return new OptionFault("The expression nests too deeply, or makes too much", { index });
  if (typeof code !== "string" || typeof message !== "string")
    return new OptionFault("JSONata cannot evaluate the expression on this document", { index });
  const words = message.length > maxLength ? `${message.slice(0, maxLength)}…` : message;
  if (code === "D3137" || code === "D3141")
    return new DocumentFault(`The query refuses the document: ${words}`, {}, "assertion");
  return new OptionFault(words, { index });
}

/**
 * Replaces an operator & or .., which makes texts or lists without a limit, with the call of a function that charges the
 * budget first. Queries cannot write the names of these functions.
 */
function rewriteNode(node: Node): void {
  if (node.type !== "binary" || (node.value !== "&" && node.value !== "..")) return;
  const { value, position, lhs, rhs } = node;
  Object.assign(node, {
    type: "function",
    value: "(",
    procedure: { type: "variable", value, position },
    arguments: [lhs, rhs],
  });
  delete node.lhs;
  delete node.rhs;
}
