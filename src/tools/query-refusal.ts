import { ToolError } from "../catalog/errors.ts";
import { invalidField } from "../catalog/input.ts";
import { BudgetError } from "../lib/budget.ts";
import { DataError } from "../lib/data/data-error.ts";
import { AssertionError } from "../lib/jsonata/assertion-error.ts";
import { QueryError } from "../lib/jsonpath/query.ts";
import { refuseValueAt } from "./json-value.ts";

/**
 * Waits for work on the query of a field; what is wrong with it, or with `data` for it, is the caller's to mend.
 * @param about Stands before the sentence, where the field has several queries.
 */
export async function refusingQuery<T>(
  field: string,
  data: string,
  work: () => T | Promise<T>,
  about = "",
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DataError) throw refuseValueAt(data, error.pointer ?? "", error.message);
    if (error instanceof BudgetError) {
      const message = `${about}${error.message} Select less of the document.`;
      throw new ToolError("memory_exceeded", message, { limit: error.limit });
    }
    if (error instanceof AssertionError)
      throw new ToolError("invalid_document", `The query refuses the document: ${error.message}`);
    if (!(error instanceof QueryError)) throw error;
    const place = error.index === undefined ? "" : `, at character ${error.index + 1}`;
    throw invalidField(field, `${about}${error.message.replace(/\.$/, "")}${place}.`);
  }
}
