import type { CelFunc } from "@bufbuild/cel";
import { OptionFault } from "../fault.ts";
import type { openRe2 } from "../regex/re2.ts";
import type { Scope } from "./engine.ts";
import { childrenOf, type Node, type Parsed, placeOf } from "./expression.ts";

interface Knowledge {
  scope: Scope;
  known: ReadonlyMap<string, readonly CelFunc[]>;
  compilePattern: Awaited<ReturnType<typeof openRe2>>;
}

/** Names of types, and the root of the names of messages of Protocol Buffers. */
const types = [
  "bool",
  "bytes",
  "double",
  "google",
  "int",
  "list",
  "map",
  "null_type",
  "string",
  "type",
  "uint",
];

/** Operators that the library plans itself. */
const operators = new Set(["_&&_", "_||_", "_?_:_", "_[_]", "@not_strictly_false", "__not_strictly_false__"]);

/**
 * Looks for faults that each evaluation would have: names and functions that do not exist, and patterns that are not RE2.
 * @throws OptionFault with the index of the first one
 */
export function checkExpression(parsed: Parsed, knowledge: Knowledge): void {
  const faults: OptionFault[] = [];
  const refuse = (node: Node, message: string): void => {
    faults.push(new OptionFault(message, { index: placeOf(parsed, node) }));
  };
  const open: { node: Node | undefined; names: ReadonlySet<string> }[] = [
    { node: parsed.expr, names: new Set([...knowledge.scope.names, ...types]) },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, names } = next;
    if (node === undefined) continue;
    const kind = node.exprKind;
    if (kind.case === "comprehensionExpr") {
      const { iterRange, accuInit, loopCondition, loopStep, result, iterVar, accuVar } = kind.value;
      const inner = new Set([...names, iterVar, accuVar]);
      for (const child of [iterRange, accuInit]) open.push({ node: child, names });
      for (const child of [loopCondition, loopStep, result]) open.push({ node: child, names: inner });
      continue;
    }
    if (kind.case === "identExpr") {
      const name = kind.value.name.replace(/^\./, "");
      if (!names.has(name))
        refuse(node, `${name} is not known here; known are ${knowledge.scope.names.join(", ")}`);
    } else if (kind.case === "selectExpr") {
      const { operand, field } = kind.value;
      const isOfVariables =
        operand?.exprKind.case === "identExpr" &&
        operand.exprKind.value.name === "variables" &&
        knowledge.scope.names.includes("variables");
      if (isOfVariables && !knowledge.scope.variables.includes(field))
        refuse(node, `variables.${field} is not defined before this expression`);
    } else if (kind.case === "callExpr") {
      const qualified = qualifiedName(kind.value, names);
      const isQualified = qualified !== undefined && knowledge.known.has(qualified);
      const call = isQualified ? { ...kind.value, function: qualified, target: undefined } : kind.value;
      const fault = faultOfCall(call, knowledge);
      if (fault !== undefined) refuse(node, fault);
      if (isQualified) {
        for (const child of call.args) open.push({ node: child, names });
        continue;
      }
    }
    for (const child of childrenOf(node)) open.push({ node: child, names });
  }
  const [first] = faults.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
  if (first !== undefined) throw first;
}

type Call = Extract<Node["exprKind"], { case: "callExpr" }>["value"];

/** `strings.quote`, which has the syntax of a method of a variable, unless there is such a variable. */
function qualifiedName({ function: name, target }: Call, names: ReadonlySet<string>): string | undefined {
  if (target?.exprKind.case !== "identExpr" || names.has(target.exprKind.value.name)) return undefined;
  return `${target.exprKind.value.name}.${name}`;
}

function faultOfCall(
  { function: name, target, args }: Pick<Call, "function" | "target" | "args">,
  { known, compilePattern }: Knowledge,
): string | undefined {
  if (operators.has(name)) return undefined;
  const all = known.get(name);
  if (all === undefined) return `There is no function ${name}`;
  const isMethod = target !== undefined;
  const fitting = all.filter((func) => (func.target !== undefined) === isMethod);
  if (fitting.length === 0)
    return isMethod ? `${name} is a function: ${name}(…)` : `${name} is a method of a value: x.${name}(…)`;
  const counts = new Set(fitting.map((func) => func.arguments.length));
  if (!counts.has(args.length))
    return `${name} takes ${[...counts].toSorted((a, b) => a - b).join(" or ")} arguments, not ${args.length}`;
  const pattern = name === "matches" ? args.at(-1)?.exprKind : undefined;
  if (pattern?.case !== "constExpr" || pattern.value.constantKind.case !== "stringValue") return undefined;
  try {
    compilePattern(pattern.value.constantKind.value, "");
    return undefined;
  } catch (error) {
    if (!(error instanceof OptionFault)) throw error;
    return `The pattern is not RE2: ${error.message.replace(/\.$/, "")}`;
  }
}
