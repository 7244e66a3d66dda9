import { expect, test } from "vitest";
import { createBoundedFindings } from "../../../src/lib/bounded-findings.ts";

test("errors come before warnings when there is no room for both, in the order in which they were added", () => {
  const findings = createBoundedFindings<{ severity: "error" | "warning"; at: number }>(3);
  for (const at of [0, 1, 2, 3]) findings.add({ severity: "warning", at });
  expect(findings.isFull("warning")).toBe(true);
  expect(findings.isFull("error")).toBe(false);
  expect(findings.list().map(({ at }) => at)).toEqual([0, 1, 2]);
  for (const at of [4, 5]) findings.add({ severity: "error", at });
  expect(findings.list().map(({ at }) => at)).toEqual([0, 4, 5]);
  for (const at of [6, 7]) findings.add({ severity: "error", at });
  expect(findings.isFull("error")).toBe(true);
  expect(findings.list().map(({ at }) => at)).toEqual([4, 5, 6]);
});
