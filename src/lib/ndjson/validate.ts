import { createBoundedFindings, type TextFinding } from "../bounded-findings.ts";
import { validateJson } from "../json/validate.ts";
import { groupsOf, isBlankLine, linesOf, type NdjsonLine, toArrayText } from "./lines.ts";
import { onLine } from "./read.ts";

export interface NdjsonFault extends TextFinding {
  /** Within the line. */
  pointer?: string;
}

/** Returns the faults of newline-delimited JSON, each line validated by itself. */
export function validateNdjson(text: string, maxErrors: number): NdjsonFault[] {
  const { add, isFull, list } = createBoundedFindings<NdjsonFault>(maxErrors);
  if (text.startsWith("\uFEFF"))
    add({
      message: "The document starts with a byte order mark; save it without.",
      rule: "byte-order-mark",
      index: 0,
      severity: "warning",
    });
  for (const group of groupsOf(linesOf(text))) {
    if (isFull("error")) break;
    const array = toArrayText(group);
    // The joining array adds one level.
    if (array === undefined || validateJson(Buffer.from(array), { maxDepth: 513 }).length > 0)
      for (const fault of group.flatMap(faultsOf)) add(fault);
  }
  return list();
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
  return validateJson(Buffer.from(line.text), { byteOrderMark: "refuse" }).map((problem) => {
    const { offset, first } = problem;
    const { message, rule, at } = onLine(problem, { offset, first: first?.offset }, line);
    return { message, rule, index: at.index ?? line.from, severity: "error", pointer: problem.pointer };
  });
}
