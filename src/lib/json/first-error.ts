import { findFaults, toProblems } from "./faults.ts";
import type { JsonProblem } from "./problem.ts";

/**
 * Returns the first place where a document violates RFC 8259, if any; duplicate keys and any depth are
 * allowed.
 */
export function firstJsonError(data: Uint8Array): JsonProblem | undefined {
  const faults = findFaults(data, { dialect: "json", duplicateKeys: "allow", maxDepth: Infinity });
  return toProblems(data, faults)[0];
}
