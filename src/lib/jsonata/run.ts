import type { Expression } from "jsonata";
import { DataError } from "../data/data-error.ts";
import type { Value } from "../data/value.ts";
import { QueryError } from "../jsonpath/query.ts";
import { load } from "../load.ts";
import { AssertionError } from "./assertion-error.ts";
import { bindWorld, type Native, type World } from "./functions.ts";
import { inspectQuery } from "./inspect.ts";
import { openExchange } from "./values.ts";

/**
 * What a JSONata expression makes of a document; null where it finds nothing. Its regular expressions are JavaScript's and
 * its loops may not end: only where a deadline and a memory limit are.
 * @throws QueryError where the expression is at fault, or fails on the document.
 * @throws DataError with a pointer, where it would change a number of the document.
 * @throws AssertionError where the expression itself refuses the document, by `$error` or `$assert`.
 */
export async function runJsonata(query: string, document: Value, world: World): Promise<Value> {
  const { default: jsonata } = await load("jsonata");
  const check = (text: string) => inspectQuery(parse(text).ast(), text);
  const parse = (text: string): Expression => {
    try {
      return jsonata(text);
    } catch (error) {
      throw toFault(error);
    }
  };
  const expression = parse(query);
  const { use, literals } = inspectQuery(expression.ast(), query);
  const exchange = openExchange(document, use, literals);
  try {
    const [evaluate, fromMillis, toMillis, pad, join] = (await jsonata(
      "[$eval, $fromMillis, $toMillis, $pad, $join]",
    ).evaluate(undefined)) as [Native, Native, Native, Native, Native];
    bindWorld(expression, { eval: evaluate, fromMillis, toMillis, pad, join }, world, check);
    return exchange.toValue(await expression.evaluate(exchange.input));
  } catch (error) {
    throw toFault(error);
  }
}

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
  if (inner instanceof DataError || inner instanceof QueryError) return inner;
  if (error instanceof DataError) return error;
  const index = typeof position === "number" && position > 0 ? position - 1 : undefined;
  if (error instanceof QueryError) return new QueryError(error.message, error.index ?? index);
  if (error instanceof RangeError)
    return new QueryError("The expression nests too deeply, or makes too much", index);
  if (typeof code !== "string" || typeof message !== "string")
    return new QueryError("JSONata cannot evaluate the expression on this document", index);
  const words = message.length > longest ? `${message.slice(0, longest)}…` : message;
  if (code === "D3137" || code === "D3141") return new AssertionError(words);
  return new QueryError(words, index);
}
