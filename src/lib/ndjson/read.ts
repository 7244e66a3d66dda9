import { DocumentFault, type FaultPlace, unlessFault } from "../fault.ts";
import { fromJson } from "../data/from-json.ts";
import type { List, Value } from "../data/value.ts";
import { locate } from "../json/position.ts";
import { groupsOf, isBlankLine, linesOf, type NdjsonLine, toArrayText } from "./lines.ts";

export interface NdjsonReadOptions {
  /** Whether to skip lines that are not JSON. */
  skipInvalid: boolean;
  /** Whether the text is the beginning of the document; true by default. */
  isBeginning?: boolean;
}

/**
 * Reads newline-delimited JSON as a list; skips blank lines.
 * @throws DocumentFault for the first invalid line.
 */
export function readNdjson(text: string, { skipInvalid, isBeginning }: NdjsonReadOptions): Value[] {
  const values: Value[] = [];
  for (const group of groupsOf(filled(linesOf(text, isBeginning)))) {
    const together = readGroup(group);
    // If the group is invalid, each line is read by itself.
    for (const value of together ?? readEach(group, skipInvalid)) values.push(value);
  }
  return values;
}

function* filled(lines: Iterable<NdjsonLine>): Generator<NdjsonLine> {
  for (const line of lines) if (!isBlankLine(line.text)) yield line;
}

function readGroup(group: readonly NdjsonLine[]): List | undefined {
  const array = toArrayText(group);
  return array === undefined ? undefined : unlessFault(() => fromJson(array) as List);
}

function* readEach(group: readonly NdjsonLine[], skipInvalid: boolean): Generator<Value> {
  for (const line of group) {
    if (skipInvalid && toArrayText([line]) === undefined) continue;
    try {
      yield fromJson(line.text);
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      if (!skipInvalid) throw onLine(error, error.at, line);
    }
  }
}

/** Converts a fault of a line to one of the whole text. `at` has byte offsets in the line. */
export function onLine(
  { message, rule }: { message: string; rule: string },
  { offset = 0, first }: Pick<FaultPlace, "offset" | "first">,
  line: NdjsonLine,
): DocumentFault {
  const bytes = Buffer.from(line.text);
  const where =
    first === undefined ? "" : ` in this line; the first is at column ${locate(bytes, first).column}.`;
  const index = line.from + bytes.subarray(0, offset).toString().length;
  return new DocumentFault(message + where, { index }, rule);
}
