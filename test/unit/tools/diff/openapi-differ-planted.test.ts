import { expect, test } from "vitest";
import { rules } from "../../../../src/lib/openapi-diff/rules.ts";
import tool from "../../../../src/tools/diff/openapi-differ.ts";
import { runTool } from "../run-tool.ts";
import { edited, notFound, planted } from "./planted-changes.ts";

interface Row {
  impact: string;
  rule: string;
  message: string;
  line: number;
}

const compare = async (data: string, other: string, ignore: string[] = []): Promise<Row[]> =>
  JSON.parse(
    await runTool(tool, { data, other, ignore, format: "json", now: "2026-01-01T00:00:00Z" }),
  ) as Row[];

test("more than a hundred changes are planted, one for each check", () => {
  expect(new Set(planted.map(([check]) => check)).size).toBe(planted.length);
  expect(planted.length).toBeGreaterThanOrEqual(100);
});

test.each(planted)("%s", async (check, edits, rule, before = {}) => {
  const data = edited(before);
  const other = edited({ ...before, ...edits });
  const found = await compare(data, other);
  expect(found.map((one) => one.rule)).toContain(rule);
  // The id of the other program leaves the change out.
  expect(rules.get(rule)?.aliases).toContain(check);
  expect((await compare(data, other, [check])).map((one) => one.rule)).not.toContain(rule);
  // It has a place in the text.
  expect(found.every(({ line }) => line > 1 || rule === "component-removed")).toBe(true);
});

test.each(Object.entries(notFound))("%s is not a change here", async (_, edits) => {
  expect(await compare(edited({}), edited(edits))).toEqual([]);
});

test("a description does not differ from itself", async () => {
  expect(await compare(edited({}), edited({}))).toEqual([]);
  for (const [, edits] of planted) expect(await compare(edited(edits), edited(edits))).toEqual([]);
});
