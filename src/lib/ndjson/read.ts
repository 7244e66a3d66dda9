import { DataError } from "../data/data-error.ts";
import { fromJson } from "../data/from-json.ts";
import type { List, Value } from "../data/value.ts";
import { JsonError, type JsonProblem } from "../json/problem.ts";
import { groupsOf, isBlankLine, linesOf, type NdjsonLine, toArrayText } from "./lines.ts";

export interface NdjsonReadOptions {
  /** Whether lines that are not JSON are left out. */
  skipInvalid: boolean;
}

/**
 * The values of newline-delimited JSON as a list; blank lines are passed over.
 * @throws DataError at what is wrong in a line
 */
export function readNdjson(text: string, { skipInvalid }: NdjsonReadOptions): Value {
  const values: Value[] = [];
  for (const group of groupsOf(filled(text))) {
    const together = readGroup(group);
    // Where something is wrong with one of them, each is asked.
    for (const value of together ?? readEach(group, skipInvalid)) values.push(value);
  }
  return values;
}

function* filled(text: string): Generator<NdjsonLine> {
  for (const line of linesOf(text)) if (!isBlankLine(line.text)) yield line;
}

function readGroup(group: readonly NdjsonLine[]): List | undefined {
  const array = toArrayText(group);
  if (array === undefined) return undefined;
  try {
    return fromJson(array) as List;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function* readEach(group: readonly NdjsonLine[], skipInvalid: boolean): Generator<Value> {
  for (const line of group) {
    if (skipInvalid && toArrayText([line]) === undefined) continue;
    try {
      yield fromJson(line.text);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (!skipInvalid) throw toFault(error.problem, line);
    }
  }
}

/** What is wrong in a line, told of the whole text. */
export function toFault({ message, offset, rule }: JsonProblem, line: NdjsonLine): DataError {
  // A line has no lines: its columns are enough.
  const told = message.replace(
    / at line 1, column \d+; the first is at line 1, column (\d+)\.$/,
    " in this line; the first is at column $1.",
  );
  const before = Buffer.from(line.text).subarray(0, offset).toString();
  return new DataError(told, { index: line.from + before.length }, rule);
}
