import type { Value } from "../data/value.ts";
import { load } from "../load.ts";
import { type Evaluation, maxVisits, type Node, select } from "./evaluate.ts";
import { passes } from "./filter.ts";
import { parseQuery } from "./parse.ts";

/**
 * Returns the nodes that a query of RFC 9535 selects, in document order, once for each time that they are
 * selected. Numbers are compared exactly as written; patterns take linear time.
 * @throws OptionFault if the query is invalid, or visits too many nodes.
 * @throws BudgetError if it selects too many.
 */
export async function runQuery(text: string, value: Value): Promise<Node[]> {
  const query = parseQuery(text);
  const re2 = await load("re2js");
  const root: Node = { value };
  const evaluation: Evaluation = { root, re2, patterns: new Map(), passes, left: maxVisits };
  return select(evaluation, query, root);
}
