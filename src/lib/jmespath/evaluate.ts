import { equalValues } from "../data/equal.ts";
import { isDictionary, isList, isLiteral, type List, type Value } from "../data/value.ts";
import { QueryError } from "../jsonpath/query.ts";
import { compareDecimals, toDecimal } from "../number/decimal.ts";
import { callFunction, type Argument } from "./functions.ts";
import type { Expression } from "./parse.ts";

/** How many items lists may be made of: flattened copies double a list each. */
const maxItems = 10_000_000;

/** The value of an expression on a document. @throws QueryError where a function gets what it cannot take. */
export function evaluateJmespath(expression: Expression, document: Value): Value {
  let left = maxItems;
  const count = (list: List): List => {
    left -= list.length;
    if (left < 0) throw new QueryError(`The expression makes more than ${maxItems} items of this document`);
    return list;
  };

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
        return isList(value) ? count(slice(value, node)) : null;
      case "chain":
        return evaluate(node.right, evaluate(node.left, value));
      case "project": {
        const base = evaluate(node.left, value);
        if (node.what === "values")
          return isDictionary(base) ? project([...base.values()], node.right) : null;
        return isList(base) ? project(base, node.right) : null;
      }
      case "filter": {
        const base = evaluate(node.left, value);
        if (!isList(base)) return null;
        return project(
          base.filter((item) => isTrue(evaluate(node.test, item))),
          node.right,
        );
      }
      case "flatten": {
        const base = evaluate(node.left, value);
        return isList(base) ? count(base.flatMap((item) => item)) : null;
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
        return value === null ? null : count(node.items.map((item) => evaluate(item, value)));
      case "hash":
        if (value === null) return null;
        return new Map(node.members.map(([name, member]) => [name, evaluate(member, value)]));
      case "call": {
        const parameters = node.parameters.map((parameter): Argument => {
          if (parameter.kind !== "reference") return { value: evaluate(parameter, value) };
          return { apply: (item) => evaluate(parameter.expression, item) };
        });
        const result = callFunction(node.name, parameters, node.index);
        return isList(result) ? count(result) : result;
      }
      case "reference":
        throw new QueryError("& stands before a parameter of a function only");
    }
  }

  const project = (items: readonly Value[], right: Expression): List =>
    count(items.map((item) => evaluate(right, item)).filter((item) => item !== null));

  return evaluate(expression, document);
}

/** Everything but null, false and what is empty. */
function isTrue(value: Value): boolean {
  if (isList(value)) return value.length > 0;
  return isDictionary(value) ? value.size > 0 : value !== null && value !== false && value !== "";
}

/** Only numbers have an order; of all else the answer is null. */
function compare(operator: string, left: Value, right: Value): Value {
  if (operator === "==") return equalValues(left, right);
  if (operator === "!=") return !equalValues(left, right);
  if (!isLiteral(left) || !isLiteral(right)) return null;
  const order = compareDecimals(toDecimal(left.text), toDecimal(right.text));
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

function slice(list: List, { start, stop, step = 1 }: Extract<Expression, { kind: "slice" }>): List {
  const bound = (index: number | undefined, otherwise: number): number => {
    if (index === undefined) return otherwise;
    const at = index < 0 ? index + list.length : index;
    return step > 0 ? Math.min(Math.max(at, 0), list.length) : Math.min(Math.max(at, -1), list.length - 1);
  };
  const items: List = [];
  const end = bound(stop, step > 0 ? list.length : -1);
  let at = bound(start, step > 0 ? 0 : list.length - 1);
  for (; step > 0 ? at < end : at > end; at += step) items.push(list[at] as Value);
  return items;
}
