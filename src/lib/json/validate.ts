import { markLength } from "./byte-order-mark.ts";
import { findFaults, toProblems } from "./faults.ts";
import { inspectPrinted, maxResult } from "./printer.ts";
import type { JsonProblem } from "./problem.ts";
import type { ScanOptions } from "./scan.ts";
import { createKeyReader } from "./key-reader.ts";
import { endOfString } from "./sort-keys.ts";

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

/** Reports whether no object has two equal keys. The document must be valid and on one line. */
function hasUniqueKeys(data: Uint8Array): boolean {
  const readKey = createKeyReader(data);
  /**
   * The keys of the open containers; an array is undefined. Sets have a seeded hash, so collisions cannot be
   * provoked.
   */
  const open: (Set<string> | undefined)[] = [];
  let keys: Set<string> | undefined;
  let at = 0;
  while (at < data.length) {
    const byte = data[at];
    if (byte === 0x22) {
      at = endOfString(data, at);
      continue;
    }
    at++;
    if (byte === 0x7d || byte === 0x5d) {
      keys = open.pop();
    } else if (byte === 0x5b || byte === 0x7b) {
      open.push(keys);
      keys = byte === 0x7b ? new Set() : undefined;
    }
    if (keys && (byte === 0x7b || byte === 0x2c) && data[at] === 0x22) {
      const to = endOfString(data, at);
      const before = keys.size;
      if (keys.add(readKey(at, to)).size === before) return false;
      at = to;
    }
  }
  return true;
}
