import { DocumentFault, OptionFault } from "../fault.ts";
import type { Value } from "../data/value.ts";
import { evaluateJmespath } from "./evaluate.ts";
import { parseJmespath } from "./parse.ts";

/**
 * Evaluates a JMESPath expression on a document; numbers stay as written.
 * @throws OptionFault, BudgetError
 */
export function runJmespath(expression: string, document: Value): Value {
  try {
    return evaluateJmespath(parseJmespath(expression), document);
  } catch (error) {
    // The expression, or a value that it builds, nests too deeply for the stack.
    if (error instanceof RangeError) throw new OptionFault("The expression nests too deeply");
    throw error instanceof DocumentFault ? new OptionFault(error.message) : error;
  }
}
