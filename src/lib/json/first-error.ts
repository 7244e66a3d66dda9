import { findFaults, toProblems } from "./faults.ts";
import type { JsonProblem } from "./problem.ts";

/**
 * Returns the first place where a document violates RFC 8259, if any; duplicate keys and any depth are
 * allowed. A byte order mark is refused, as `JSON.parse` does.
 */
export function firstJsonError(data: Uint8Array): JsonProblem | undefined {
  const faults = findFaults(data, {
    dialect: "json",
    duplicateKeys: "allow",
    maxDepth: Infinity,
    byteOrderMark: "refuse",
  });
  return toProblems(data, faults)[0];
}
