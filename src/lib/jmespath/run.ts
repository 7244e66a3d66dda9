import { DataError } from "../data/data-error.ts";
import type { Value } from "../data/value.ts";
import { QueryError } from "../jsonpath/query.ts";
import { evaluateJmespath } from "./evaluate.ts";
import { parseJmespath } from "./parse.ts";

/** The value of a JMESPath expression on a document; numbers stay as they are written. @throws QueryError, BudgetError */
export function runJmespath(expression: string, document: Value): Value {
  try {
    return evaluateJmespath(parseJmespath(expression), document);
  } catch (error) {
    // Brackets in brackets, in the expression or in what it makes of itself.
    if (error instanceof RangeError) throw new QueryError("The expression nests too deeply");
    throw error instanceof DataError ? new QueryError(error.message) : error;
  }
}
