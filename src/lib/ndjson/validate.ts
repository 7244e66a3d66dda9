import { validateJson } from "../json/validate.ts";
import { groupsOf, isBlankLine, linesOf, type NdjsonLine, toArrayText } from "./lines.ts";
import { onLine } from "./read.ts";

export interface NdjsonFault {
  message: string;
  rule: string;
  index: number;
  severity: "error" | "warning";
  /** Within the line. */
  pointer?: string;
}

/** Returns the faults of newline-delimited JSON, each line validated by itself. */
export function validateNdjson(text: string, maxErrors: number): NdjsonFault[] {
  const faults: NdjsonFault[] = [];
  if (text.startsWith("\uFEFF"))
    faults.push({
      message: "The document starts with a byte order mark; save it without.",
      rule: "byte-order-mark",
      index: 0,
      severity: "error",
    });
  for (const group of groupsOf(linesOf(text))) {
    if (faults.length >= maxErrors) break;
    const array = toArrayText(group);
    // The joining array adds one level.
    if (array === undefined || validateJson(Buffer.from(array), { maxDepth: 513 }).length > 0)
      for (const line of group) faults.push(...faultsOf(line));
  }
  return faults.slice(0, maxErrors);
}

function faultsOf(line: NdjsonLine): NdjsonFault[] {
  if (isBlankLine(line.text))
    return [
      {
        message: "This line is blank; some readers refuse it.",
        rule: "blank-line",
        index: line.from,
        severity: "warning",
      },
    ];
  return validateJson(Buffer.from(line.text)).map((problem) => {
    const { offset, first } = problem;
    const { message, rule, at } = onLine(problem, { offset, first: first?.offset }, line);
    return { message, rule, index: at.index ?? line.from, severity: "error", pointer: problem.pointer };
  });
}
