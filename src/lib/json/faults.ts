import { isUtf8 } from "node:buffer";
import { locateAll } from "./position.ts";
import type { Fault, JsonProblem } from "./problem.ts";
import { scanDocument, type ScanOptions } from "./scan.ts";
import { findInvalidUtf8 } from "./utf8.ts";

/** Returns the faults of a document in the order of their offsets. */
export function findFaults(data: Uint8Array, options: ScanOptions): Fault[] {
  const invalid = isUtf8(data) ? -1 : findInvalidUtf8(data);
  if (invalid < 0) return scanDocument(data, options);
  // Everything before the bad byte is scanned first; its only other fault may be that it ends too early.
  const faults = scanDocument(data.subarray(0, invalid), options);
  const last = faults.at(-1);
  if (last && last.rule !== "duplicate-key" && last.rule !== "truncated") return faults;
  const pointer = last?.rule === "truncated" ? last.pointer : "";
  const before = last?.rule === "truncated" ? faults.slice(0, -1) : faults;
  return [
    ...before,
    { rule: "invalid-utf8", message: describeInvalid(data, invalid), offset: invalid, pointer },
  ];
}

/** Adds line and column to faults, and to the earlier of two equal keys. */
export function toProblems(data: Uint8Array, faults: readonly Fault[]): JsonProblem[] {
  const positions = locateAll(data, [
    ...faults.map((fault) => fault.offset),
    ...faults.map((fault) => fault.first ?? fault.offset),
  ]);
  return faults.map(({ first, ...fault }, index) => {
    const here = positions[index] ?? { line: 1, column: 1 };
    const earlier = positions[faults.length + index] ?? here;
    return { ...fault, ...here, ...(first !== undefined && { first: { ...earlier, offset: first } }) };
  });
}

function describeInvalid(data: Uint8Array, at: number): string {
  const utf16 =
    at === 0 && ((data[0] === 0xff && data[1] === 0xfe) || (data[0] === 0xfe && data[1] === 0xff));
  if (utf16) return "The document starts with a UTF-16 byte order mark; convert it to UTF-8.";
  const byte = (data[at] as number).toString(16).toUpperCase().padStart(2, "0");
  return `Byte 0x${byte} is not valid UTF-8 here; save the document as UTF-8.`;
}
