type Severity = "error" | "warning";

/** A finding in a text. */
export interface TextFinding {
  message: string;
  rule: string;
  severity: Severity;
  /** In UTF-16 code units, from 0. */
  index: number;
}

export interface BoundedFindings<T> {
  add(finding: T): void;
  /** Whether another finding of this severity would be left out. */
  isFull(severity: Severity): boolean;
  /** At most as many findings as allowed, in the order in which they were added. */
  list(): T[];
}

/** Collects findings up to a number. Warnings take no room of errors: a document must not become valid because it has many warnings. */
export function createBoundedFindings<T extends { severity: Severity }>(max: number): BoundedFindings<T> {
  const findings: T[] = [];
  const count = { error: 0, warning: 0 };
  const isFull = (severity: Severity): boolean => count[severity] >= max;
  return {
    isFull,
    add(finding) {
      if (isFull(finding.severity)) return;
      count[finding.severity]++;
      findings.push(finding);
    },
    list() {
      let room = max - count.error;
      return findings.filter(({ severity }) => severity === "error" || room-- > 0);
    },
  };
}
