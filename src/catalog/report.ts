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
}

/** A document is valid when nothing worse than a warning was found. */
export const toReport = (errors: Finding[]): Report => ({
  valid: errors.every((finding) => finding.severity !== "error"),
  errors,
});

/** Formats a report as JSON: two spaces, keys in the order of the type. */
export const toReportText = (report: Report): string =>
  JSON.stringify(
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
