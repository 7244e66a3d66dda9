import { markLength } from "./byte-order-mark.ts";
import { findFaults, toProblems } from "./faults.ts";
import { inspectPrinted, maxResult } from "./printer.ts";
import type { JsonProblem } from "./problem.ts";
import type { ScanOptions } from "./scan.ts";
import { hasUniqueKeys } from "./unique-keys.ts";

const defaultMaxDepth = 512;

/**
 * Returns the problems of a document in order: at most 100 duplicate keys, and at most one other problem, the
 * last, because nothing after it can be read reliably. By default strict, with duplicate keys an error and at
 * most 512 levels; a byte order mark is skipped.
 */
export function validateJson(data: Uint8Array, options: Partial<ScanOptions> = {}): JsonProblem[] {
  const {
    dialect = "json",
    duplicateKeys = "error",
    maxDepth = defaultMaxDepth,
    byteOrderMark = "skip",
  } = options;
  const settings = { dialect, duplicateKeys, maxDepth, byteOrderMark };
  return isFaultless(data, settings) ? [] : toProblems(data, findFaults(data, settings));
}

/** Most documents are valid: the printer is ten times as fast as the scanner, which then need not run. */
function isFaultless(data: Uint8Array, options: ScanOptions): boolean {
  const { dialect, duplicateKeys, maxDepth, byteOrderMark } = options;
  if (dialect !== "json" || (byteOrderMark === "refuse" && markLength(data) > 0)) return false;
  const settings = { indent: 0, maxDepth: Math.min(maxDepth, 1_000_000), maxResultBytes: maxResult };
  const { result } = inspectPrinted(
    data,
    settings,
    (onOneLine) => duplicateKeys === "allow" || hasUniqueKeys(onOneLine),
  );
  return result === true;
}
