import type { Value } from "./data/value.ts";
import { DocumentFault } from "./fault.ts";
import { runJmespath } from "./jmespath/run.ts";
import type { World } from "./jsonata/functions.ts";
import { runJsonata } from "./jsonata/run.ts";
import { followPointer, toNodeList } from "./jsonpath/nodes.ts";
import { runQuery } from "./jsonpath/run.ts";

export const queryLanguages = ["jsonpath", "pointer", "jmespath", "jsonata"] as const;

export interface JsonQuery {
  query: string;
  language: (typeof queryLanguages)[number];
  /** Return also the paths with `nodes`; JMESPath and JSONata compute values, which have no paths. */
  output: "values" | "nodes" | "raw";
}

/**
 * Returns the result of a query.
 * @throws OptionFault; DocumentFault if a pointer leads to nothing; DocumentFault and AssertionError like `runJsonata`.
 */
export async function queryJson(
  document: Value,
  { query, language, output }: JsonQuery,
  world: World,
): Promise<Value> {
  if (language === "jsonpath") {
    const nodes = await runQuery(query, document);
    return output === "nodes" ? toNodeList(nodes) : nodes.map(({ value }) => value);
  }
  if (language === "pointer") {
    const node = followPointer(document, query);
    if (node === undefined) throw new DocumentFault("No value exists at this pointer.", { pointer: query });
    return output === "nodes" ? toNodeList([node]) : node.value;
  }
  return language === "jmespath" ? runJmespath(query, document) : await runJsonata(query, document, world);
}
