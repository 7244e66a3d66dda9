import { OptionFault } from "../fault.ts";
import { type Node, visitNodes } from "./nodes.ts";
import { isCarried, type NumberUse } from "./numbers.ts";

/** The properties of a query that are known before it runs. */
export interface Inspection {
  use: NumberUse;
  /** The numbers in the query, as written. */
  literals: string[];
}

const arithmetic = new Set(["+", "-", "*", "/", "%", ".."]);

/** Functions whose result depends on the digits of a number, not only on its order among others. */
const computing = new Set(
  "sum average floor ceil round abs sqrt power number parseInteger formatNumber formatBase formatInteger fromMillis".split(
    " ",
  ),
);

/** Functions that write numbers; `$eval` can do anything. */
const writing = new Set(["string", "eval"]);

/**
 * @param tree The library's parse tree of `query`.
 * @throws OptionFault if JSONata would change a number in the query.
 */
export function inspectQuery(tree: unknown, query: string): Inspection {
  const found: Inspection = { use: "select", literals: [] };
  visitNodes(tree, (node) => inspectNode(node, query, found));
  return found;
}

function inspectNode({ type, value, position }: Node, query: string, found: Inspection): void {
  if (type === "number" && position !== undefined) {
    const text = literalBefore(query, position, value);
    if (text === undefined) return;
    if (!isCarried(text, "compute"))
      throw new OptionFault(`JSONata would change the number ${text.slice(0, 40)}`, { index: position - 1 });
    found.literals.push(text);
  } else if (type === "binary" && value === "&") found.use = "write";
  else if (type === "variable" && writing.has(value as string)) found.use = "write";
  else if (
    (type === "binary" && arithmetic.has(value as string)) ||
    (type === "unary" && value === "-") ||
    (type === "variable" && computing.has(value as string))
  ) {
    if (found.use === "select") found.use = "compute";
  }
}

/** Returns the text of the number that ends at `position`, without a sign, which is an operator. */
function literalBefore(query: string, position: number, value: unknown): string | undefined {
  const text = /\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.exec(
    query.slice(Math.max(0, position - 400), position),
  )?.[0];
  // JSONata splits a number with leading zeros in two; `value` belongs to the last.
  return text !== undefined && Number(text) === Math.abs(value as number) ? text : undefined;
}
