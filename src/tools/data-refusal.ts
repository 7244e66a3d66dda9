import { ToolError } from "../catalog/errors.ts";
import type { Finding } from "../catalog/report.ts";
import { DataError } from "../lib/data/data-error.ts";
import { JsonError } from "../lib/json/problem.ts";
import { locateAll } from "../lib/json/position.ts";
import { refuseValueAt } from "./json-value.ts";
import { refusingJson } from "./refusal.ts";
import { refuseAtIndex } from "./text.ts";

/**
 * Runs work that reads or writes data; what it finds wrong with `data` is the caller's to mend. `field` is where that
 * text came from if not from `data`.
 */
export function refusingData<T>(data: string, work: () => T, field?: string): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonError) {
      return refusingJson(() => {
        throw error;
      }, field);
    }
    if (!(error instanceof DataError)) throw error;
    if (error.index !== undefined) throw refuseAtIndex(data, error.index, error.message, field);
    // Only what was read from JSON is pointed at.
    if (error.pointer !== undefined) throw refuseValueAt(data, error.pointer, error.message, field);
    throw new ToolError("invalid_document", error.message);
  }
}

/** What was found wrong with a text, with its places. */
export interface TextFault {
  message: string;
  rule: string;
  index?: number | undefined;
  severity?: Finding["severity"];
  pointer?: string | undefined;
}

/** Findings in the order of their places. */
export function toFindings(data: string, faults: readonly TextFault[]): Finding[] {
  const bytes = Buffer.from(data);
  const sorted = faults.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
  let at = 0;
  let bytesBefore = 0;
  const offsets = sorted.map(({ index = 0 }) => {
    bytesBefore += Buffer.byteLength(data.slice(at, index));
    at = index;
    return bytesBefore;
  });
  const positions = locateAll(bytes, offsets);
  return sorted.map(({ message, rule, severity = "error", pointer = "" }, index) => ({
    message,
    severity,
    rule,
    line: positions[index]?.line ?? 1,
    column: positions[index]?.column ?? 1,
    offset: offsets[index] ?? 0,
    pointer,
  }));
}
