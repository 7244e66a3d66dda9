import { describe, expect, test } from "vitest";
import jsonQuery from "../../../src/tools/json/json-query.ts";
import htmlQuery from "../../../src/tools/web/html-query.ts";
import { refusalOf, runTool } from "../../unit/tools/run-tool.ts";

describe("html-query", () => {
  test("results in one another are limited together", async () => {
    const data = `${"<div>".repeat(900)}${"x".repeat(100_000)}`;
    expect(
      (await refusalOf(runTool(htmlQuery, { data, selector: "div", output: "html" }))).message,
    ).toContain("larger than");
    expect((await refusalOf(runTool(htmlQuery, { data, selector: "div" }))).message).toContain("larger than");
  });

  test("unclosed elements that every paragraph repeats are counted", async () => {
    const data = `<p>${Array.from({ length: 900 }, (_, at) => `<b id=${at}>`).join("")}${"<p>x".repeat(1200)}`;
    expect(await refusalOf(runTool(htmlQuery, { data, selector: "p" }))).toMatchObject({
      code: "invalid_document",
      line: 1,
    });
  });
});

describe("jsonpath", () => {
  test("needs no stack for depth, and refuses a query that visits nodes without end", async () => {
    const deep = `${"[".repeat(500)}${"]".repeat(500)}`;
    expect(JSON.parse(await runTool(jsonQuery, { data: deep, query: "$..*", indent: 0 }))).toHaveLength(499);
    expect(
      await refusalOf(runTool(jsonQuery, { data: deep, query: "$..*..*..*..*", indent: 0 })),
    ).toMatchObject({ code: "memory_exceeded" });
  });
});

describe("jq", () => {
  test.each([
    ["1", "def f: f; f", {}, { code: "memory_exceeded", message: /10000000 steps/ }],
    ["1", "def f: f + 1; f", {}, { code: "memory_exceeded", message: /levels deep/ }],
  ])("refuses %s | %s %j", async (data, query, options, { code, message }) => {
    const input = { data, query, language: "jq", indent: 0, ...options };
    const refusal = await refusalOf(runTool(jsonQuery, input));
    expect(refusal).toMatchObject({ code });
    expect(refusal.message).toMatch(message);
  });
});
