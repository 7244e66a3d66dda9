import { describe, expect, test } from "vitest";
import csvQuery from "../../../src/tools/data/csv-query.ts";
import csvToJson from "../../../src/tools/data/csv-to-json.ts";
import { refusalOf, runTool } from "../../unit/tools/run-tool.ts";

describe("csv-to-json", () => {
  test("refuses too many objects", async () => {
    const data = `${"a.".repeat(500)}b\n${"1\n".repeat(4100)}`;
    const refusal = await refusalOf(runTool(csvToJson, { data, indent: 0, unflatten: true }));
    expect(refusal.message).toContain("more than 2000000 objects");
  });

  test("refuses a wide header over many short lines instead of filling them", async () => {
    const data = `${"a,".repeat(20_000)}b\n${"1\n".repeat(20_000)}`;
    const refusal = await refusalOf(
      runTool(csvToJson, { data, indent: 0, ragged: "pad", duplicateHeaders: "rename" }),
    );
    expect(refusal.message).toContain("Too many fields");
  });
});

test("csv-query refuses a join of too many cells", async () => {
  const many = `k\n${"1\n".repeat(2500)}`;
  expect((await refusalOf(runTool(csvQuery, { data: many, other: many, on: ["k"] }))).message).toContain(
    "more than 5000000 cells",
  );
});
