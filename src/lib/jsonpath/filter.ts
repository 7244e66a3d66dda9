import { equalValues } from "../data/equal.ts";
import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { compareCodePoints } from "../json/code-point-order.ts";
import { compareDecimals, toDecimal } from "../number/decimal.ts";
import { type Evaluation, type Node, select } from "./evaluate.ts";
import { toRe2 } from "./i-regexp.ts";
import type { Call, Operand, Operator, Test } from "./query.ts";

/** Reports whether a node passes the test of a filter (RFC 9535 §2.3.5). */
export function passes(evaluation: Evaluation, test: Test, current: Node): boolean {
  switch (test.kind) {
    case "and":
      return passes(evaluation, test.left, current) && passes(evaluation, test.right, current);
    case "or":
      return passes(evaluation, test.left, current) || passes(evaluation, test.right, current);
    case "not":
      return !passes(evaluation, test.operand, current);
    case "exists":
      return select(evaluation, test.query, current).length > 0;
    case "compare":
      return compare(
        test.operator,
        valueOf(evaluation, test.left, current),
        valueOf(evaluation, test.right, current),
      );
    case "call":
      return matches(evaluation, test, current);
  }
}

/** Returns the value of an operand; undefined is the standard's Nothing. */
function valueOf(evaluation: Evaluation, operand: Operand, current: Node): Value | undefined {
  if (operand.kind === "literal") return operand.value;
  if (operand.kind === "query") {
    const nodes = select(evaluation, operand.query, current);
    return nodes.length === 1 ? nodes[0]?.value : undefined;
  }
  const [parameter] = operand.parameters as [Operand];
  if (operand.name === "count" || operand.name === "value") {
    // The query is well-typed: this parameter is a query.
    const nodes = parameter.kind === "query" ? select(evaluation, parameter.query, current) : [];
    if (operand.name === "value") return nodes.length === 1 ? nodes[0]?.value : undefined;
    return { kind: "number", text: String(nodes.length) };
  }
  const value = valueOf(evaluation, parameter, current);
  const length = value === undefined ? undefined : lengthOf(value);
  return length === undefined ? undefined : { kind: "number", text: String(length) };
}

function lengthOf(value: Value): number | undefined {
  if (typeof value === "string") return Array.from(value).length;
  if (isList(value)) return value.length;
  return isDictionary(value) ? value.size : undefined;
}

/**
 * `match` tests the whole string, `search` any part of it. A value that is not a string, or not an I-Regexp,
 * matches nothing.
 */
function matches(evaluation: Evaluation, { name, parameters }: Call, current: Node): boolean {
  const [text, pattern] = parameters.map((parameter) => valueOf(evaluation, parameter, current));
  if (typeof text !== "string" || typeof pattern !== "string") return false;
  const key = `${name} ${pattern}`;
  let compiled = evaluation.patterns.get(key);
  if (compiled === undefined && !evaluation.patterns.has(key)) {
    const source = toRe2(pattern);
    compiled =
      source === undefined
        ? undefined
        : compile(evaluation, name === "match" ? `\\A(?:${source})\\z` : source);
    evaluation.patterns.set(key, compiled);
  }
  return compiled?.matcher(text).find() ?? false;
}

function compile({ re2 }: Evaluation, source: string): ReturnType<typeof re2.RE2JS.compile> | undefined {
  try {
    return re2.RE2JS.compile(source);
  } catch (error) {
    // RE2 cannot repeat more than 1,000 times.
    if (error instanceof re2.RE2JSException) return undefined;
    throw error;
  }
}

function compare(operator: Operator, left: Value | undefined, right: Value | undefined): boolean {
  switch (operator) {
    case "==":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    case "<":
      return isLess(left, right);
    case ">":
      return isLess(right, left);
    case "<=":
      return isLess(left, right) || isEqual(left, right);
    case ">=":
      return isLess(right, left) || isEqual(left, right);
  }
}

const isEqual = (left: Value | undefined, right: Value | undefined): boolean =>
  left === undefined || right === undefined ? left === right : equalValues(left, right);

/** §2.3.5.2.2: only numbers and strings are ordered. */
function isLess(left: Value | undefined, right: Value | undefined): boolean {
  if (typeof left === "string" && typeof right === "string") return compareCodePoints(left, right) < 0;
  if (left === undefined || right === undefined || !isLiteral(left) || !isLiteral(right)) return false;
  return compareDecimals(toDecimal(left.text), toDecimal(right.text)) < 0;
}
