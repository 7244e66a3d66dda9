/** One finding of a validator, linter, verifier or check. Lines and columns count code points from 1, offsets bytes from 0. */
export interface Finding {
  message: string;
  severity: "error" | "warning";
  /** Stable name of the rule, in kebab case. */
  rule: string;
  line: number;
  column: number;
  offset: number;
  /** RFC 6901; "" is the whole document. */
  pointer: string;
}

/** The report of every validator, linter, verifier and check. */
export interface Report {
  valid: boolean;
  errors: Finding[];
  /** Another member of the text of the report; `json` is indented by two spaces, and its numbers keep their digits. */
  detail?: { name: string; json: string };
}

/** A document is valid when nothing worse than a warning was found. */
export const toReport = (errors: Finding[]): Report => ({
  valid: errors.every((finding) => finding.severity !== "error"),
  errors,
});

/** Formats a report as JSON: two spaces, keys in the order of the type. */
export function toReportText(report: Report): string {
  const text = JSON.stringify(
    {
      valid: report.valid,
      errors: report.errors.map(({ message, severity, rule, line, column, offset, pointer }) => ({
        message,
        severity,
        rule,
        line,
        column,
        offset,
        pointer,
      })),
    },
    null,
    2,
  );
  if (report.detail === undefined) return text;
  const { name, json } = report.detail;
  return `${text.slice(0, -2)},\n  ${JSON.stringify(name)}: ${json.replaceAll("\n", "\n  ")}\n}`;
}
