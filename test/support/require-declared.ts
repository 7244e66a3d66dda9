import { expect } from "vitest";
import type { Operation } from "../../src/operations/operation.ts";

/** Requires that an answer is what the output of its operation describes, with no field more. For `onAnswer`. */
export function requireDeclared({ name, output }: Operation, answer: unknown): void {
  const { error } = output.safeParse(answer);
  expect(error?.issues ?? [], `the answer of ${name}`).toEqual([]);
}
