import type { Value } from "./data/value.ts";
import { runJmespath } from "./jmespath/run.ts";
import type { World } from "./jsonata/functions.ts";
import { runJsonata } from "./jsonata/run.ts";
import { followPointer, toNodeList } from "./jsonpath/nodes.ts";
import { runQuery } from "./jsonpath/run.ts";

export const queryLanguages = ["jsonpath", "pointer", "jmespath", "jsonata"] as const;

export interface JsonQuery {
  query: string;
  language: (typeof queryLanguages)[number];
  /** Return values only, or also their paths; JMESPath and JSONata compute values, which have no paths. */
  output: "values" | "nodes";
}

/**
 * Returns the result of a query, or undefined if a pointer leads to nothing.
 * @throws OptionFault; DocumentFault and AssertionError like `runJsonata`.
 */
export async function queryJson(
  document: Value,
  { query, language, output }: JsonQuery,
  world: World,
): Promise<Value | undefined> {
  if (language === "jsonpath") {
    const nodes = await runQuery(query, document);
    return output === "nodes" ? toNodeList(nodes) : nodes.map(({ value }) => value);
  }
  if (language === "pointer") {
    const node = followPointer(document, query);
    return node === undefined || output === "values" ? node?.value : toNodeList([node]);
  }
  return language === "jmespath" ? runJmespath(query, document) : await runJsonata(query, document, world);
}
