import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { atHand, corpora } from "../../unit/corpora/corpus.ts";
import { readReports } from "../../unit/corpora/reports.ts";
import { runSteps } from "../../unit/tools/detected-steps.ts";
import { cases } from "../../support/cases.ts";

test.skipIf(!atHand)("every step that is offered for the inputs of 578 reported calls runs", async () => {
  const inputs = cases(readReports()).map(
    ({ id, input = "" }) => [id, Array.isArray(input) ? input.join("") : input] as const,
  );
  const { refused, steps } = await runSteps(inputs);
  expect(refused).toEqual([]);
  expect(steps).toBeGreaterThan(3 * inputs.length);
});

test.skipIf(!atHand)(
  "every step that is offered for files of repositories runs",
  async () => {
    const files = readFileSync(new URL("real-files.jsonl", corpora), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; text: string });
    expect(files.filter(({ text }) => text.length > 16_384).length).toBeGreaterThan(20);
    const inputs = cases(files).map(({ id, text }) => [id, text] as const);
    const { refused, steps } = await runSteps(inputs);
    expect(refused).toEqual([]);
    expect(steps).toBeGreaterThan(inputs.length);
  },
  120_000,
);
