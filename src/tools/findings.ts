import type { Finding } from "../catalog/report.ts";
import type { FaultPlace } from "../lib/fault.ts";
import { placesOf } from "../lib/places.ts";

/** A fault of a document; its place is in `at` or in the fault itself. */
export type FoundFault = {
  message: string;
  rule: string;
  severity?: Finding["severity"];
} & ({ at: FaultPlace } | FaultPlace);

/** Findings with line, column and byte offset, in the order of the faults. */
export function toFindings(document: string | Uint8Array, faults: readonly FoundFault[]): Finding[] {
  const ats = faults.map((fault) => ("at" in fault ? fault.at : fault));
  const places = placesOf(document, ats);
  return faults.map(({ message, rule, severity = "error" }, order) => {
    const { line, column, offset } = places[order] ?? { line: 1, column: 1, offset: 0 };
    return { message, severity, rule, line, column, offset, pointer: ats[order]?.pointer ?? "" };
  });
}

/** Findings with line, column and byte offset, sorted by offset. */
export const toSortedFindings = (document: string | Uint8Array, faults: readonly FoundFault[]): Finding[] =>
  toFindings(document, faults).toSorted((a, b) => a.offset - b.offset);

/** A finding about the whole document. */
export const findingOf = (
  rule: string,
  message: string,
  severity: Finding["severity"] = "error",
): Finding => ({ message, severity, rule, line: 1, column: 1, offset: 0, pointer: "" });
