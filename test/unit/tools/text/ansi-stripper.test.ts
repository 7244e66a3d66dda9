import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stripVTControlCharacters } from "node:util";
import tool from "../../../../src/tools/text/ansi-stripper.ts";
import { runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

const esc = "\u001b";

test.each([
  ["", ""],
  ["plain\t\r\n", "plain\t\r\n"],
  [`${esc}[38;2;1;2;3mx${esc}[0m`, "x"],
  [`${esc}[38:5:1mx${esc}[m`, "x"],
  [`${esc}[?25l${esc}[2K${esc}[1Gx`, "x"],
  [`${esc}[ qx${esc}(Bx${esc}Mx${esc}7`, "xxx"],
  [`\u009b31mx\u009d0;t\u0007y`, "xy"],
  [`${esc}]0;title${esc}\\x`, "x"],
  [`${esc}]8;id=1;https://e.example/?a=b;c${esc}\\text${esc}]8;;${esc}\\`, "text"],
  [`${esc}]8;;https://e.example\u0007text${esc}]8;;\u0007`, "text"],
  [`${esc}P1;2|data${esc}\\x${esc}_app${esc}\\y`, "xy"],
  [`${esc}]0;t\u0018x`, "x"],
  // If broken off, only the sequence itself is removed.
  [`a${esc}`, "a"],
  [`a${esc}[3`, "a"],
  [`a${esc}[31${esc}[32mb`, "ab"],
  [`${esc}]0;broken\nnext line`, "0;broken\nnext line"],
  [`${esc}[31é`, "é"],
  ["\u0085x", "\u0085x"],
])("%j is %j", async (data, result) => {
  expect(await runTool(tool, { data })).toBe(result);
});

test("strips the same colours as Node", async () => {
  const colour = fc
    .array(fc.integer({ min: 0, max: 255 }), { maxLength: 5 })
    .map((codes) => `${esc}[${codes.join(";")}m`);
  const text = fc
    .array(fc.oneof(colour, fc.string({ unit: fc.constantFrom(..."ab é\n"), maxLength: 5 })))
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(text, async (data) => {
      expect(await runTool(tool, { data })).toBe(stripVTControlCharacters(data));
    }),
  );
});

test("leaves no escape, whatever the input", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."\u001b[]\\P;31m\u0007\u009b\u009c\nx"), maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(text, async (data) => {
      const stripped = await runTool(tool, { data });
      expect([...stripped].filter((char) => char === esc || char === "\u009b")).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test("handles hundreds of kilobytes of unfinished sequences in linear time", async () => {
  const cost = startCost();
  for (const unit of [`${esc}]`, `${esc}[`, `${esc}P${"a".repeat(20)}`, "\u009d", `${esc}[1;`])
    await runTool(tool, { data: unit.repeat(250_000 / unit.length) });
  expect(cost()).toBeLessThan(100);
});

test.each([
  ["a 9%\rb", "b 9%"],
  ["abc\rx\n", "xbc\n"],
  ["abc\r\n\rd", "abc\r\nd"],
  ["abc\b\bX", "aXc"],
  ["\b\bX", "X"],
  [`abcdef\r12${esc}[K`, "12"],
  [`abcdef\r12${esc}[0K`, "12"],
  [`abcdef${esc}[3D${esc}[1K!`, "      !"],
  [`abc${esc}[2Kd`, "   d"],
  [`abc${esc}[2K\rd`, "d"],
  ["abc\u009bK\r\u009bKd", "d"],
  [`${esc}[32m10%${esc}[0m\r${esc}[32m100%${esc}[0m`, "100%"],
  [`${esc}]8;;https://e.example${esc}\\link${esc}]8;;${esc}\\\rL`, "Link"],
  ["\u{1f600}x\r-", "-x"],
])("%j is shown as %j", async (data, result) => {
  expect(await runTool(tool, { data, render: true })).toBe(result);
});

test("erasing again and again takes no more than linear time", async () => {
  const erase = `${esc}[1K`;
  const data = "x".repeat(80_000) + erase.repeat(80_000) + `\r${erase}x`.repeat(40_000);
  expect((await runTool(tool, { data, render: true })).trim()).toBe("x");
});
