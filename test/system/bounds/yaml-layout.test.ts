import { describe, expect, test } from "vitest";
import { layOut } from "../../../src/lib/yaml/edit/layout.ts";
import { startCost } from "../../cost/start-cost.ts";
import { read } from "../../unit/lib/yaml/edit/read.ts";
import { plain } from "../../unit/lib/yaml/plain-format.ts";

test("indentation that is much longer than the document is refused", () => {
  const deep = read(`${"[\n".repeat(500)}${"1,\n".repeat(40_000)}${"]\n".repeat(500)}`);
  expect(() => layOut(deep, { ...plain, indent: 10 })).toThrow("The result is larger");
});

describe("the cost grows with the length", () => {
  const many = (count: number, line: string): string => line.repeat(count);
  test.each([
    ["white space", (n: number) => `a: 'x${" ".repeat(n)}y'\nb: "${"\\".repeat(n)}"\nc: x${" ".repeat(n)}\n`],
    ["comments behind deep levels", (n: number) => `${"- ".repeat(500)}x\n${many(n / 4, "#\n")}`],
    ["blank lines in a block scalar", (n: number) => `a: |\n${many(n / 2, "\n  \n")}  x\n`],
    ["flow collections in one line", (n: number) => `a: [${many(n / 4, "[x],")}]\n`],
    [
      "placeholders in placeholders",
      (n: number) => `a: ${"{".repeat(400)}${"x".repeat(n)}${"}".repeat(400)}\n`,
    ],
  ])("%s", (_, toText) => {
    const long = read(toText(100_000));
    const cost = startCost();
    layOut(long, plain);
    layOut(long, { ...plain, lineWidth: 80, quotes: "single" });
    expect(cost()).toBeLessThan(300);
  });
});
