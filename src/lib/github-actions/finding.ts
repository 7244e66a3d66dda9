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

/** A message that takes time, such as to find the nearest name, is a function, which is called only if the finding is reported. */
export type ReportAt = (
  rule: string,
  at: Node,
  message: string | (() => string),
  more?: { severity?: Severity; /** A character of the text of a scalar. */ character?: number },
) => void;
