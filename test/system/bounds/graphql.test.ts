import { describe, expect, test } from "vitest";
import type { Report } from "../../../src/catalog/report.ts";
import formatter from "../../../src/tools/format/graphql-formatter.ts";
import validator from "../../../src/tools/lint/graphql-validator.ts";
import { startCost } from "../../cost/start-cost.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

const validate = async (data: string, schema?: string): Promise<Report> =>
  JSON.parse(await runTool(validator, { data, schema })) as Report;

const repeat = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join("");

test("a type of more lines than a call has arguments is formatted", async () => {
  const data = `type A {\n${Array.from({ length: 130_000 }, (_, at) => `  a${at}: B\n`).join("")}}\n`;
  expect(await runTool(formatter, { data })).toBe(data);
});

describe("hostile input", () => {
  const schema = "type Query { a: Query b: Int }";
  test.each<[string, string, string?]>([
    ["a name without end", `type Query { a: ${"A".repeat(1_000_000)} }`],
    ["selections in selections", "{a".repeat(100_000), schema],
    ["lists in lists", `type Query { a: ${"[".repeat(100_000)}Int${"]".repeat(100_000)} }`],
    ["values in values", `{ a(x: ${"[".repeat(100_000)}`, schema],
    ["more tokens than any schema has", `{ ${"b ".repeat(501_000)} }`, schema],
    ["fields that all may conflict", `{ ${"b ".repeat(3000)} }`, schema],
    [
      "errors without number",
      `{ ${Array.from({ length: 5000 }, (_, index) => `x${index} `).join("")} }`,
      schema,
    ],
    [
      "unknown fields of a type that has thousands",
      `{ ${repeat(200, (index) => `x${index} `)} }`,
      `type Query { ${repeat(20_000, (index) => `field${index}: Int `)} }`,
    ],
    [
      "millions of lines before unknown types",
      `${"\n".repeat(2_000_000)}type Query { ${repeat(200, (index) => `a${index}: X${index} `)} }`,
    ],
    [
      "thousands of unknown types among thousands",
      repeat(10_000, (index) => `type Abc${index} { a: Xyz${index} }\n`),
    ],
    ["a type that is declared thousands of times", repeat(10_000, () => "type A { a: Int }\n")],
  ])("handles %s in bounded time", async (_, data, sdl) => {
    const cost = startCost();
    const { valid, errors } = await validate(data, sdl);
    expect(valid).toBe(false);
    expect(errors.length).toBeLessThanOrEqual(101);
    expect(errors.every(({ message }) => message.length < 500)).toBe(true);
    expect(cost()).toBeLessThan(800);
  });

  test("compares fragments that double thirty times only once", async () => {
    const doubled = Array.from({ length: 30 }, (_, index) => {
      const next = `{ ...F${index + 1} }`;
      return `fragment F${index} on Query { a ${next} b: a ${next} }`;
    });
    const data = `{ ...F0 } ${doubled.join(" ")} fragment F30 on Query { a { c: b } }`;
    expect(await validate(data, schema)).toEqual({ valid: true, errors: [] });
  });
});
