import type { Node } from "./node.ts";

export type Severity = "error" | "warning";

/** One defect of a workflow. */
export interface ActionsFinding {
  rule: string;
  severity: Severity;
  message: string;
  pointer: string;
  /** In UTF-16 code units of the document. */
  index: number;
}

export type ReportAt = (
  rule: string,
  at: Node,
  message: string,
  more?: { severity?: Severity; /** A character of the text of a scalar. */ character?: number },
) => void;
