import { OptionFault } from "../fault.ts";
import { type Budget, createBudget } from "../budget.ts";
import { equalValues } from "../data/equal.ts";
import { isDictionary, isList, isLiteral, type List, type Value } from "../data/value.ts";
import { compareCodePoints } from "../json/code-point-order.ts";
import { compareDecimals, toDecimal } from "../number/decimal.ts";
import { callFunction, type Argument } from "./functions.ts";
import type { Expression } from "./parse.ts";

/**
 * Evaluates an expression on a document.
 * @throws OptionFault if a function does not accept its argument.
 * @throws BudgetError
 */
export function evaluateJmespath(expression: Expression, document: Value): Value {
  const budget = createBudget();

  function evaluate(node: Expression, value: Value): Value {
    switch (node.kind) {
      case "current":
        return value;
      case "field":
        return isDictionary(value) ? (value.get(node.name) ?? null) : null;
      case "literal":
        return node.value;
      case "index":
        return isList(value) ? (value.at(node.index) ?? null) : null;
      case "slice":
        return isList(value) ? slice(value, node, budget) : null;
      case "chain":
        return evaluate(node.right, evaluate(node.left, value));
      case "project": {
        const base = evaluate(node.left, value);
        if (node.what === "values")
          return isDictionary(base) ? project(base.values(), base.size, node.right) : null;
        return isList(base) ? project(base, base.length, node.right) : null;
      }
      case "filter": {
        const base = evaluate(node.left, value);
        if (!isList(base)) return null;
        budget.items(base.length);
        const passed = base.filter((item) => isTrue(evaluate(node.test, item)));
        return project(passed, passed.length, node.right);
      }
      case "flatten": {
        const base = evaluate(node.left, value);
        if (!isList(base)) return null;
        budget.items(base.reduce((sum, item) => sum + (isList(item) ? item.length : 1), 0));
        return base.flat();
      }
      case "compare":
        return compare(node.operator, evaluate(node.left, value), evaluate(node.right, value));
      case "and": {
        const first = evaluate(node.left, value);
        return isTrue(first) ? evaluate(node.right, value) : first;
      }
      case "or": {
        const first = evaluate(node.left, value);
        return isTrue(first) ? first : evaluate(node.right, value);
      }
      case "not":
        return !isTrue(evaluate(node.operand, value));
      case "list":
        if (value === null) return null;
        budget.items(4 + node.items.length);
        return node.items.map((item) => evaluate(item, value));
      case "hash":
        if (value === null) return null;
        budget.members(2 + node.members.length);
        return new Map(node.members.map(([name, member]) => [name, evaluate(member, value)]));
      case "call": {
        const parameters = node.parameters.map((parameter): Argument => {
          if (parameter.kind !== "reference") return { value: evaluate(parameter, value) };
          return { apply: (item) => evaluate(parameter.expression, item) };
        });
        return callFunction(node.name, parameters, node.index, budget);
      }
      case "reference":
        throw new OptionFault("& is allowed only before a parameter of a function");
    }
  }

  function project(items: Iterable<Value>, count: number, right: Expression): List {
    budget.items(count);
    const found: List = [];
    for (const item of items) {
      const value = evaluate(right, item);
      if (value !== null) found.push(value);
    }
    return found;
  }

  return evaluate(expression, document);
}

/** Everything except null, false and empty values is true. */
function isTrue(value: Value): boolean {
  if (isList(value)) return value.length > 0;
  return isDictionary(value) ? value.size > 0 : value !== null && value !== false && value !== "";
}

/** Numbers are ordered, and strings by code points, as in jmespath.py and the AWS CLI; for other values the result is null. */
function compare(operator: string, left: Value, right: Value): Value {
  if (operator === "==") return equalValues(left, right);
  if (operator === "!=") return !equalValues(left, right);
  const order =
    typeof left === "string" && typeof right === "string"
      ? compareCodePoints(left, right)
      : isLiteral(left) && isLiteral(right)
        ? compareDecimals(toDecimal(left.text), toDecimal(right.text))
        : undefined;
  if (order === undefined) return null;
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

function slice(
  list: List,
  { start, stop, step = 1 }: Extract<Expression, { kind: "slice" }>,
  budget: Budget,
): List {
  const bound = (index: number | undefined, otherwise: number): number => {
    if (index === undefined) return otherwise;
    const at = index < 0 ? index + list.length : index;
    return step > 0 ? Math.min(Math.max(at, 0), list.length) : Math.min(Math.max(at, -1), list.length - 1);
  };
  const items: List = [];
  const end = bound(stop, step > 0 ? list.length : -1);
  let at = bound(start, step > 0 ? 0 : list.length - 1);
  budget.items(Math.max(0, Math.ceil((end - at) / step)));
  for (; step > 0 ? at < end : at > end; at += step) items.push(list[at] as Value);
  return items;
}
