import { expect, test } from "vitest";
import { addContext } from "../../../src/checks/finding-context.ts";
import { finding, verdict } from "../../unit/checks/findings.ts";
import { read } from "../../unit/checks/read-checks.ts";

test("refuses more entries and longer patterns than it matches in reasonable time", async () => {
  await expect(read(`checks: [${"1,".repeat(10_001)}]`)).rejects.toThrow(
    "checks.yaml:1:20010: checks has 10001 entries, and the most is 10000. Put files with the same options into one entry.",
  );
  const long = `  - { tool: json-validator, files: "${"{1..999}".repeat(100)}" }\n`;
  await expect(read(`checks:\n${long.repeat(100)}`)).rejects.toThrow(
    /^checks\.yaml:4:36: The patterns are too many or too long together\. Use fewer patterns, braces and ranges\.$/,
  );
});

// It would take minutes if its work grew with the square of the document.
test("very many findings on one long line", () => {
  const text = '"é" '.repeat(1_000_000);
  const errors = Array.from({ length: 150_000 }, (_, at) =>
    finding({ line: 1, column: at * 4, offset: at * 5 }),
  );
  const found = addContext(verdict(errors), "a", Buffer.from(text)).errors;
  expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(errors.length);
});
