import type * as re2js from "re2js";
import { isDictionary, toNumber, type Value } from "../data/value.ts";
import { OptionFault } from "../fault.ts";
import { toPointer } from "../json/pointer.ts";
import { type Evaluation, type Node, select } from "../jsonpath/evaluate.ts";
import { passes } from "../jsonpath/filter.ts";
import { parseQuery } from "../jsonpath/parse.ts";
import type { Query } from "../jsonpath/query.ts";
import { targetOf } from "../openapi-diff/places.ts";

/** A path of a rule: a query of RFC 9535, then `~` (the name instead of the value) and `^` (the parent), and further segments. */
export type Given = readonly (Query | "~" | "^")[];

/**
 * Parses the path of a rule. Notations that the other program takes and RFC 9535 does not are rewritten: `===`, names without quotes,
 * names with a hyphen, and comparisons of `@property`.
 * @throws OptionFault
 */
export function parseGiven(text: string): Given {
  const parts: (Query | "~" | "^")[] = [];
  let piece = "";
  const flush = (): void => {
    const isFirst = parts.length === 0;
    if (piece === "" && !isFirst) return;
    parts.push({ ...parseQuery(isFirst ? piece : `$${piece}`), relative: !isFirst });
    piece = "";
  };
  let [depth, quote] = [0, ""];
  const standard = toStandard(text);
  for (let at = 0; at < standard.length; at++) {
    const unit = standard[at] as string;
    if (quote !== "") {
      if (unit === "\\") piece += standard[at++] ?? "";
      else if (unit === quote) quote = "";
    } else if (unit === "'" || unit === '"') quote = unit;
    else if (unit === "[" || unit === "(") depth++;
    else if (unit === "]" || unit === ")") depth--;
    else if (depth === 0 && (unit === "~" || unit === "^")) {
      flush();
      parts.push(unit);
      continue;
    }
    piece += standard[at] ?? "";
  }
  flush();
  return parts;
}

/** Rewrites what is not in quotes. */
function toStandard(text: string): string {
  const names = text.replaceAll(
    /\[\?\(\s*((?:@property\s*={2,3}\s*(?:'[^'\\]*'|"[^"\\]*")\s*(?:\|\|\s*)?)+)\)\s*\]/g,
    (_, tests: string) => `[${(tests.match(/'[^']*'|"[^"]*"/g) ?? []).join()}]`,
  );
  const found =
    /@(?:property|path|parent|root|parentProperty)\b|\.(?:match|test|includes|startsWith|length)\b/.exec(
      names.replaceAll(/'[^'\\]*'|"[^"\\]*"/g, (one) => " ".repeat(one.length)),
    );
  if (found !== null)
    throw new OptionFault(
      `${found[0]} is not in RFC 9535. Names can be compared in [?(@property === 'a' || @property === 'b')] alone; see match(), search() and length().`,
    );
  return (
    names
      .replaceAll(
        /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|===|!==|\[\s*[A-Za-z_$][\w$-]*(?:\s*,\s*[A-Za-z_$][\w$-]*)*\s*\]|\.(?:\d[\w$-]*|[A-Za-z_$][\w]*[$-][\w$-]*|\$[\w$-]*)/g,
        (part) => {
          if (part === "===") return "==";
          if (part === "!==") return "!=";
          if (part.startsWith("["))
            return `[${part
              .slice(1, -1)
              .split(",")
              .map((name) => `'${name.trim()}'`)
              .join()}]`;
          if (part.startsWith(".")) return `${"\u0000"}['${part.slice(1)}']`;
          return part;
        },
      )
      // `..name` is a descendant, `.name` a child.
      .replaceAll(".\u0000", "..")
      .replaceAll("\u0000", "")
  );
}

export interface Selecting {
  root: Value;
  re2: typeof re2js;
  /** Whether references are followed. */
  resolved: boolean;
  /** Nodes that may still be visited, for all paths together. */
  budget: { left: number };
}

/** @throws OptionFault if the path visits too many nodes, BudgetError if it selects too many */
export function selectGiven(given: Given, { root, re2, resolved, budget }: Selecting): Node[] {
  const side = { root, version: "3.0" as const };
  const evaluation: Evaluation = {
    root: { value: root },
    re2,
    patterns: new Map(),
    passes,
    left: budget.left,
    ...(resolved && {
      follow(value: Value) {
        const reference = isDictionary(value) ? value.get("$ref") : undefined;
        if (typeof reference !== "string") return undefined;
        const target = targetOf(side, reference);
        return target && { value: target.value, home: target.pointer };
      },
    }),
  };
  let nodes: Node[] = [evaluation.root];
  for (const part of given) {
    if (part === "~") nodes = nodes.flatMap(toName);
    else if (part === "^") nodes = [...new Set(nodes.flatMap(({ parent }) => parent ?? []))];
    else nodes = nodes.flatMap((node) => select(evaluation, part, node));
  }
  budget.left = evaluation.left;
  return nodes;
}

const toName = (node: Node): Node[] => {
  if (node.key === undefined) return [];
  const value = typeof node.key === "number" ? toNumber(String(node.key)) : node.key;
  return [{ value, home: pointerOf(node), parent: node }];
};

/** Returns the pointer to where a node stands, behind references. */
export function pointerOf(node: Node): string {
  const path: (string | number)[] = [];
  let at: Node | undefined = node;
  while (at?.key !== undefined && at.home === undefined) {
    path.push(at.key);
    at = at.parent;
  }
  return (at?.home ?? "") + toPointer(path.toReversed());
}
