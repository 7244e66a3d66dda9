import { DocumentFault, OptionFault } from "../fault.ts";
import type { Value } from "../data/value.ts";
import { evaluateJmespath } from "./evaluate.ts";
import { parseJmespath } from "./parse.ts";

/** The value of a JMESPath expression on a document; numbers stay as they are written. @throws OptionFault, BudgetError */
export function runJmespath(expression: string, document: Value): Value {
  try {
    return evaluateJmespath(parseJmespath(expression), document);
  } catch (error) {
    // Brackets in brackets, in the expression or in what it makes of itself.
    if (error instanceof RangeError) throw new OptionFault("The expression nests too deeply");
    throw error instanceof DocumentFault ? new OptionFault(error.message) : error;
  }
}
