import type { BoundedFindings, TextFinding } from "../bounded-findings.ts";
import { validateJson } from "../json/validate.ts";
import { groupsOf, isBlankLine, linesOf, type NdjsonLine, toArrayText } from "./lines.ts";
import { onLine } from "./read.ts";

export interface NdjsonFault extends TextFinding {
  /** Within the line. */
  pointer?: string;
}

/** Adds the faults of lines of newline-delimited JSON, each validated by itself. @param isBeginning Whether they begin the document. */
export function validateNdjson(
  text: string,
  { add, isFull }: Pick<BoundedFindings<NdjsonFault>, "add" | "isFull">,
  isBeginning = true,
): void {
  if (isBeginning && text.startsWith("\uFEFF"))
    add({
      message: "The document starts with a byte order mark; save it without.",
      rule: "byte-order-mark",
      index: 0,
      severity: "warning",
    });
  for (const group of groupsOf(linesOf(text, isBeginning))) {
    if (isFull("error")) break;
    const array = toArrayText(group);
    // The joining array adds one level.
    if (array === undefined || validateJson(Buffer.from(array), { maxDepth: 513 }).length > 0)
      for (const fault of group.flatMap(faultsOf)) add(fault);
  }
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
