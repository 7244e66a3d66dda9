import { describe, expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { tools } from "../../../src/tools/index.ts";
import { isChosen } from "../../support/cases.ts";
import { compareOutputs, readChangelog, readOutputs, takeOutputs, toText, type Outputs } from "./outputs.ts";

const all = await createCatalog(tools).all();
const now = await takeOutputs(all.filter(({ slug }) => isChosen(slug)));
const recorded = Object.fromEntries(Object.entries(readOutputs()).filter(([slug]) => isChosen(slug)));

test("every tool answers as recorded", () => {
  expect(compareOutputs(recorded, now, readChangelog())).toEqual([]);
  const hint =
    "An output has changed. If that is intended, run make docs and commit test/unit/catalog/outputs.json";
  for (const slug of new Set([...Object.keys(recorded), ...Object.keys(now)]))
    expect(now[slug], `${slug}: ${hint}`).toEqual(recorded[slug]);
  expect(toText(recorded)).toBe(toText(now));
});

test("every tool has at least two results that are not refusals", () => {
  for (const [slug, { results }] of Object.entries(now))
    expect(
      Object.values(results).filter((result) => /^[\da-f]{12}$/.test(result)).length,
      slug,
    ).toBeGreaterThan(1);
});

describe("released answers stay the same", () => {
  const before: Outputs = { "json-foo": { version: "1.0.0", results: { a: "x", b: "y" } } };
  const at = (version: string, a: string): Outputs => ({
    "json-foo": { version, results: { a, b: "y", c: "z" } },
  });
  const unreleased = "# Changelog\n\n## Unreleased\n";
  const released = `${unreleased}\n## 0.1.0\n\n- Ninety tools, all at version 1.0.0.\n`;
  const raised = "## Unreleased\n\n- `json-foo` 1.1.0: a becomes y.\n\n## 0.1.0\n";

  test.each<[string, Outputs, string, RegExp | undefined]>([
    ["the same", at("1.0.0", "x"), released, undefined],
    ["a change before the first release", at("1.0.0", "y"), unreleased, undefined],
    ["a change after it", at("1.0.0", "y"), released, /raise the version/],
    ["a new version without a line", at("1.1.0", "y"), released, /no line that names json-foo/],
    ["a new version with a line", at("1.1.0", "y"), raised, undefined],
    [
      "an input that is not recorded any more",
      { "json-foo": { version: "1.0.0", results: {} } },
      released,
      /raise/,
    ],
    ["a tool that is gone", {}, released, undefined],
  ])("%s", (_, after, changelog, objection) => {
    const [found] = compareOutputs(before, after, changelog);
    if (objection === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(objection);
  });

  test("a version that was raised since the last release may still change", () => {
    const raisedAlready = at("1.1.0", "y");
    expect(compareOutputs(raisedAlready, at("1.1.0", "z"), raised)).toEqual([]);
    expect(
      compareOutputs(raisedAlready, at("1.1.0", "z"), raised.replace("## Unreleased", "## 0.2.0")),
    ).toHaveLength(1);
  });
});
