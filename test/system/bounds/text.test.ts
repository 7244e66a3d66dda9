import { describe, expect, test } from "vitest";
import sqlFormatter from "../../../src/tools/format/sql-formatter.ts";
import unicodeLinter from "../../../src/tools/lint/unicode-linter.ts";
import caseConverter from "../../../src/tools/text/case-converter.ts";
import { startCost } from "../../cost/start-cost.ts";
import { refusalOf, runTool } from "../../unit/tools/run-tool.ts";

describe("sql-formatter", () => {
  test("refuses great depth without a crash", async () => {
    const data = `select ${"(".repeat(8000)}1${")".repeat(8000)}`;
    expect((await refusalOf(runTool(sqlFormatter, { data }))).code).toBe("invalid_document");
  });
});

describe("unicode-linter", () => {
  test("accepts a word of millions of letters without an internal error", async () => {
    expect(await runTool(unicodeLinter, { data: `${"\u024a".repeat(5_000_000)} \u0430b` })).toContain(
      "mixed-script",
    );
  });
});

describe("case-converter", () => {
  test("handles a megabyte of one kind of character in linear time", async () => {
    const cost = startCost();
    for (const unit of ["A", "a", "1", "_", "aB", "\u0301", "1st"])
      await runTool(caseConverter, { data: unit.repeat(1e6 / unit.length), to: "camel" });
    expect(cost()).toBeLessThan(800);
  });
});
