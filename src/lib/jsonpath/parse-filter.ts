import { toNumber } from "../data/value.ts";
import type { Call, Operand, Operator, Query, Segment, Test } from "./query.ts";
import { expect, fail, found, type Reader, readString, skipBlank, take, takeMatch } from "./reader.ts";

/** Parameter and result types of the functions of RFC 9535 §2.4. */
const functions: Record<Call["name"], { takes: ("value" | "nodes")[]; gives: "value" | "logical" }> = {
  length: { takes: ["value"], gives: "value" },
  count: { takes: ["nodes"], gives: "value" },
  value: { takes: ["nodes"], gives: "value" },
  match: { takes: ["value", "value"], gives: "logical" },
  search: { takes: ["value", "value"], gives: "logical" },
};

const operators: readonly Operator[] = ["==", "!=", "<=", ">=", "<", ">"];

/** Parses segments; passed in because filters and queries contain one another. */
export type ReadSegments = (reader: Reader) => Segment[];

/** Parses the test of a filter (RFC 9535 §2.3.5). */
export function parseTest(reader: Reader, readQuery: ReadSegments): Test {
  let left = readAnd(reader, readQuery);
  for (;;) {
    const before = reader.at;
    skipBlank(reader);
    if (!take(reader, "||")) {
      reader.at = before;
      return left;
    }
    skipBlank(reader);
    left = { kind: "or", left, right: readAnd(reader, readQuery) };
  }
}

function readAnd(reader: Reader, readQuery: ReadSegments): Test {
  let left = readBasic(reader, readQuery);
  for (;;) {
    const before = reader.at;
    skipBlank(reader);
    if (!take(reader, "&&")) {
      reader.at = before;
      return left;
    }
    skipBlank(reader);
    left = { kind: "and", left, right: readBasic(reader, readQuery) };
  }
}

function readBasic(reader: Reader, readQuery: ReadSegments): Test {
  if (take(reader, "!")) {
    skipBlank(reader);
    const operand =
      reader.text[reader.at] === "(" ? readGroup(reader, readQuery) : readExistence(reader, readQuery);
    return { kind: "not", operand };
  }
  if (reader.text[reader.at] === "(") return readGroup(reader, readQuery);
  const start = reader.at;
  const left = readOperand(reader, readQuery);
  const before = reader.at;
  skipBlank(reader);
  const operator = operators.find((one) => take(reader, one));
  if (operator === undefined) {
    reader.at = before;
    return toTest(reader, left, start);
  }
  skipBlank(reader);
  const right = readOperand(reader, readQuery);
  for (const operand of [left, right]) checkComparable(reader, operand, start);
  return { kind: "compare", operator, left, right };
}

function readGroup(reader: Reader, readQuery: ReadSegments): Test {
  expect(reader, "(");
  skipBlank(reader);
  const test = parseTest(reader, readQuery);
  skipBlank(reader);
  expect(reader, ")");
  return test;
}

function readExistence(reader: Reader, readQuery: ReadSegments): Test {
  const start = reader.at;
  return toTest(reader, readOperand(reader, readQuery), start);
}

function toTest(reader: Reader, operand: Operand, start: number): Test {
  if (operand.kind === "query") return { kind: "exists", query: operand.query };
  if (operand.kind === "literal") return fail(reader, "a literal is not a test; compare it", start);
  if (functions[operand.name].gives === "logical") return operand;
  return fail(reader, `the result of ${operand.name}() must be compared`, start);
}

function checkComparable(reader: Reader, operand: Operand, start: number): void {
  if (operand.kind === "query" && !isSingular(operand.query))
    fail(reader, "a compared query must select a single node: use names and indexes only", start);
  if (operand.kind === "call" && functions[operand.name].gives === "logical")
    fail(reader, `${operand.name}() is a test, and cannot be compared`, start);
}

const isSingular = ({ segments }: Query): boolean =>
  segments.every(
    ({ descendant, selectors: [first, second] }) =>
      !descendant && second === undefined && (first?.kind === "name" || first?.kind === "index"),
  );

function readOperand(reader: Reader, readQuery: ReadSegments): Operand {
  const start = reader.at;
  const unit = reader.text[reader.at] ?? "";
  if (unit === '"' || unit === "'") return { kind: "literal", value: readString(reader) };
  if (take(reader, "@") || take(reader, "$"))
    return { kind: "query", query: { relative: unit === "@", segments: readQuery(reader) } };
  const number = takeMatch(reader, /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
  if (number !== undefined) {
    // Keeps the digits: 12345678901234567891 is not rounded.
    if (/^-?(?:0|[1-9]\d*)(?![\d])/.test(number)) return { kind: "literal", value: toNumber(number) };
    return fail(reader, "a number has no leading zeros", start);
  }
  const word = takeMatch(reader, /[a-z][a-z_\d]*/y);
  if (word !== undefined && reader.text[reader.at] === "(") return readCall(reader, readQuery, word, start);
  if (word === "true" || word === "false") return { kind: "literal", value: word === "true" };
  if (word === "null") return { kind: "literal", value: null };
  reader.at = start;
  return fail(reader, `expected @, $, a literal or a function; found ${found(reader)}`);
}

function readCall(reader: Reader, readQuery: ReadSegments, word: string, start: number): Call {
  if (!Object.hasOwn(functions, word)) return fail(reader, `unknown function ${word}()`, start);
  const name = word as Call["name"];
  const { takes } = functions[name];
  expect(reader, "(");
  skipBlank(reader);
  const parameters: Operand[] = [];
  while (reader.text[reader.at] !== ")") {
    if (parameters.length > 0) {
      expect(reader, ",");
      skipBlank(reader);
    }
    const at = reader.at;
    const parameter = readOperand(reader, readQuery);
    checkParameter(reader, name, takes[parameters.length], parameter, at);
    parameters.push(parameter);
    skipBlank(reader);
  }
  expect(reader, ")");
  if (parameters.length !== takes.length)
    fail(reader, `${name}() takes ${takes.length}, not ${parameters.length}`, start);
  return { kind: "call", name, parameters };
}

function checkParameter(
  reader: Reader,
  name: string,
  wanted: "value" | "nodes" | undefined,
  parameter: Operand,
  at: number,
): void {
  if (wanted === undefined) fail(reader, `${name}() takes fewer`, at);
  if (wanted === "nodes" && parameter.kind !== "query") fail(reader, `${name}() takes a query`, at);
  if (wanted === "value") checkComparable(reader, parameter, at);
}
