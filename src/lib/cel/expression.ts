import type { parse } from "@bufbuild/cel";
import { OptionFault } from "../fault.ts";
import { roundCounter } from "./functions.ts";

export type Parsed = ReturnType<typeof parse>;
export type Node = NonNullable<Parsed["expr"]>;

/** Most brackets in one another. */
const maxBrackets = 100;
/** Most operations in one another, such as the additions of `1 + 1 + 1`: the library evaluates them recursively. */
const maxDepth = 500;

/** @throws OptionFault if brackets nest too deeply for the parser, which is recursive */
export function checkNesting(text: string): void {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (/^[([{]$/.test(token) && ++depth > maxBrackets)
      throw new OptionFault(`The expression has more than ${maxBrackets} brackets in one another`, { index });
    if (/^[)\]}]$/.test(token)) depth--;
  }
}

/** Strings of three and of one quote, comments, and brackets. No alternative can match at the same place in two ways. */
const tokens =
  /\/\/[^\n]*|"""(?:[^"\\]|\\[^]|"(?!""))*"""|'''(?:[^'\\]|\\[^]|'(?!''))*'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|[()[\]{}]/g;

/** Visits each node of an expression, iteratively. */
export function* nodesOf(parsed: Parsed): Generator<{ node: Node; depth: number }> {
  const open: { node: Node | undefined; depth: number }[] = [{ node: parsed.expr, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (node === undefined) continue;
    yield { node, depth };
    for (const child of childrenOf(node)) open.push({ node: child, depth: depth + 1 });
  }
}

export function childrenOf({ exprKind: kind }: Node): (Node | undefined)[] {
  switch (kind.case) {
    case "selectExpr":
      return [kind.value.operand];
    case "callExpr":
      return [kind.value.target, ...kind.value.args];
    case "listExpr":
      return kind.value.elements;
    case "structExpr":
      return kind.value.entries.flatMap(({ keyKind, value }) => [
        keyKind.case === "mapKey" ? keyKind.value : undefined,
        value,
      ]);
    case "comprehensionExpr": {
      const { iterRange, accuInit, loopCondition, loopStep, result } = kind.value;
      return [iterRange, accuInit, loopCondition, loopStep, result];
    }
    default:
      return [];
  }
}

/** @throws OptionFault if operations nest too deeply for the evaluator */
export function checkDepth(parsed: Parsed): void {
  for (const { node, depth } of nodesOf(parsed)) {
    if (depth <= maxDepth) continue;
    const index = placeOf(parsed, node);
    throw new OptionFault(`The expression has more than ${maxDepth} operations in one another`, { index });
  }
}

/** Returns where a node begins, in UTF-16 code units. */
export const placeOf = ({ sourceInfo }: Parsed, { id }: Node): number | undefined =>
  sourceInfo?.positions[String(id)];

/** Has each round of a comprehension counted. */
export function countRounds(parsed: Parsed): void {
  for (const { node } of nodesOf(parsed)) {
    if (node.exprKind.case !== "comprehensionExpr") continue;
    const comprehension = node.exprKind.value;
    const { loopCondition } = comprehension;
    if (loopCondition === undefined) continue;
    comprehension.loopCondition = {
      $typeName: "cel.expr.Expr",
      id: loopCondition.id,
      exprKind: {
        case: "callExpr",
        value: { $typeName: "cel.expr.Expr.Call", function: roundCounter, args: [loopCondition] },
      },
    };
  }
}
