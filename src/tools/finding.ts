import type { Finding } from "../catalog/report.ts";
import { locateAll } from "../lib/json/position.ts";

/** A finding about the whole document: what a verifier has to say has no place in it. */
export const findingOf = (
  rule: string,
  message: string,
  severity: Finding["severity"] = "error",
): Finding => ({ message, severity, rule, line: 1, column: 1, offset: 0, pointer: "" });

/** Findings at offsets of the document, in bytes. */
export function findingsAt(
  data: Uint8Array,
  found: readonly { rule: string; message: string; offset: number }[],
): Finding[] {
  const offsets = found.map(({ offset }) => offset);
  const places = locateAll(data, offsets);
  return found.map(({ rule, message, offset }, index) => {
    const { line, column } = places[index] ?? { line: 1, column: 1 };
    return { message, severity: "error", rule, line, column, offset, pointer: "" };
  });
}
