import type { Value } from "../data/value.ts";
import { load } from "../load.ts";
import { type Evaluation, maxVisits, type Node, select } from "./evaluate.ts";
import { passes } from "./filter.ts";
import { parseQuery } from "./parse.ts";

/**
 * The nodes that a query of RFC 9535 selects, in the order of the document, one for each time that it selects them.
 * Numbers are compared as they are written, patterns take linear time.
 * @throws OptionFault where the query is none, or visits too many nodes.
 * @throws BudgetError where it selects too many.
 */
export async function runQuery(text: string, value: Value): Promise<Node[]> {
  const query = parseQuery(text);
  const re2 = await load("re2js");
  const root: Node = { value };
  const evaluation: Evaluation = { root, re2, patterns: new Map(), passes, left: maxVisits };
  return select(evaluation, query, root);
}
