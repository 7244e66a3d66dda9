import { DocumentFault, OptionFault } from "../fault.ts";
import type { Expression } from "jsonata";
import { BudgetError, createBudget, evaluationBytes } from "../budget.ts";
import type { Value } from "../data/value.ts";
import { load } from "../load.ts";
import { bindWorld, type World } from "./functions.ts";
import { inspectQuery } from "./inspect.ts";
import { boundNatives, readNatives } from "./natives.ts";
import { rewriteNode, rewriteOperators } from "./rewrite.ts";
import { openExchange } from "./values.ts";

/**
 * What a JSONata expression makes of a document; null where it finds nothing. Its regular expressions are JavaScript's and
 * its loops may not end: only where a deadline and a memory limit are.
 * @throws OptionFault where the expression is at fault, or fails on the document.
 * @throws DocumentFault with a pointer, where it would change a number of the document.
 * @throws AssertionError where the expression itself refuses the document, by `$error` or `$assert`.
 * @throws BudgetError where it makes too much of it.
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
    rewriteOperators(expression.ast());
    // The library parses what `$eval` is given, so that its nodes are only there to see when they are evaluated.
    if (/\$\s*eval/.test(query)) expression.assign(beforeEach, rewriteNode);
    return exchange.toValue(await expression.evaluate(exchange.input));
  } catch (error) {
    throw toFault(error);
  }
}

/** A hook of the library, called before each node of an expression. */
const beforeEach = Symbol.for("jsonata.__evaluate_entry") as unknown as string;

/** Items that one list may have, of which each is 8 bytes, and calls in calls. */
const limits = { sequence: evaluationBytes / 8, stack: 50_000 };

/** The library throws records with a code, a message and a position behind the token at fault. */
interface Problem {
  code?: unknown;
  message?: unknown;
  position?: unknown;
  /** What went wrong inside of `$eval`. */
  error?: unknown;
}

/** Messages repeat values, and values can be whole documents. */
const longest = 300;

function toFault(error: unknown): Error {
  const { code, message, position, error: inner } = error as Problem;
  // `$eval` wraps what goes wrong in it, once for each call around it.
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
  const words = message.length > longest ? `${message.slice(0, longest)}…` : message;
  if (code === "D3137" || code === "D3141")
    return new DocumentFault(`The query refuses the document: ${words}`, {}, "assertion");
  return new OptionFault(words, { index });
}
