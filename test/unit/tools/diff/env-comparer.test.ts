import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import comparer from "../../../../src/tools/diff/env-comparer.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const compare = async (data: string, other: string, options: Record<string, unknown> = {}): Promise<Report> =>
  JSON.parse(await runTool(comparer, { data, other, ...options })) as Report;

test.each([
  ["", "", {}, []],
  ["A='1'\nB=2", "B=2 # c\n\nexport A=1", {}, []],
  ["A=1\nB=2\n", "A=1", {}, [["extra-key", 2]]],
  [
    "A=1",
    "A=1\nB=2\nC=3",
    {},
    [
      ["missing-key", 1],
      ["missing-key", 1],
    ],
  ],
  ["# c\nA=1", "A=2", {}, [["changed-value", 2]]],
  ["A=1", "A=2", { keysOnly: true }, []],
  ["A=1\nA=2", "A=2", {}, []],
  [
    "__proto__=1\ntoString=1",
    "__proto__=1\nconstructor=1",
    {},
    [
      ["extra-key", 2],
      ["missing-key", 2],
    ],
  ],
] as [string, string, Record<string, unknown>, [string, number][]][])(
  "%j beside %j with %j",
  async (data, other, options, found) => {
    const { valid, errors } = await compare(data, other, options);
    expect(errors.map(({ rule, line }) => [rule, line])).toEqual(found);
    expect(valid).toBe(found.length === 0);
  },
);

test("values are masked by default", async () => {
  const [data, other] = ["A=hunter2\nC=hunter3", "A=hunter4\nB=hunter5"];
  expect(JSON.stringify(await compare(data, other))).not.toContain("hunter");
  const shown = JSON.stringify(await compare(data, other, { showValues: true }));
  for (const value of ["hunter2", "hunter4", "hunter5"]) expect(shown).toContain(value);
});

test("an error names the document that it is in", async () => {
  expect(await refusalOf(compare("A=1\nB", "A=1"))).toMatchObject({
    code: "invalid_document",
    line: 2,
    column: 1,
  });
  const refusal = await refusalOf(compare("A=1", "\nA='x"));
  expect(refusal).toMatchObject({ code: "invalid_document", line: 2, column: 3 });
  expect(refusal.message).toContain("other: ");
});
