import { type Finding, type Report, toReport } from "../catalog/report.ts";
import { markLength } from "../lib/json/byte-order-mark.ts";
import { findingOf } from "./findings.ts";

/** The report of a document in a format: for JSON with a warning of its byte order mark. */
export const toMarkedReport = (
  data: string | Uint8Array,
  format: string,
  findings: readonly Finding[],
): Report => toReport([...(format === "json" ? warnOfMark(data) : []), ...findings]);

/** Returns a warning if a document in JSON begins with a byte order mark, which other programs may refuse. */
export function warnOfMark(data: string | Uint8Array): Finding[] {
  const marked = typeof data === "string" ? data.startsWith("\ufeff") : markLength(data) > 0;
  if (!marked) return [];
  const message =
    "The document starts with a byte order mark (U+FEFF), which many JSON parsers refuse; save it without.";
  return [findingOf("byte-order-mark", message, "warning")];
}
