import { toProblems } from "./faults.ts";
import type { DocumentFault } from "../fault.ts";
import { type Fault, type JsonProblem, toDocumentFault } from "./problem.ts";
import { scanDocument } from "./scan.ts";

/** The error for a result that exceeded `limit` bytes when the document was read up to `offset`. */
export function tooLargeError(data: Uint8Array, offset: number, limit: number): DocumentFault {
  const [fault] = scanDocument(data.subarray(0, offset), anything);
  return toError(data, {
    rule: "result-too-large",
    message: `The result is larger than ${limit} bytes. Nesting multiplies the indentation: use less of it, or 0.`,
    offset,
    pointer: fault?.pointer ?? "",
  });
}

/** The error for a text that is not well-formed UTF-16, or an earlier fault of it. */
export function loneSurrogateError(text: string): DocumentFault {
  // Each lone surrogate becomes one U+FFFD: the first difference is the first surrogate.
  const repaired = text.toWellFormed();
  let index = 0;
  while (text.charCodeAt(index) === repaired.charCodeAt(index)) index++;
  const before = Buffer.from(repaired.slice(0, index));
  const [fault] = scanDocument(before, anything);
  if (fault && fault.rule !== "truncated") return toError(before, fault);
  const unit = text.charCodeAt(index).toString(16);
  return toError(before, {
    rule: "lone-surrogate",
    message: `U+${unit.toUpperCase()} is half of a surrogate pair and stands alone; write it as \\u${unit}, or repair the text.`,
    offset: before.length,
    pointer: fault?.pointer ?? "",
  });
}

const anything = {
  dialect: "json",
  duplicateKeys: "allow",
  maxDepth: Infinity,
  byteOrderMark: "skip",
} as const;

function toError(data: Uint8Array, fault: Fault): DocumentFault {
  return toDocumentFault(toProblems(data, [fault])[0] as JsonProblem);
}
