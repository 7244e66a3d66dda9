import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/text/whitespace-normalizer.ts";
import { runTool } from "../run-tool.ts";
import { startCost } from "../../../cost/start-cost.ts";

const off = { eol: "keep", trimTrailing: false, finalNewline: false, plainSpaces: false, stripBom: false };

test.each([
  ["", {}, ""],
  ["\n\n", {}, ""],
  [" \t", {}, ""],
  ["a", {}, "a\n"],
  ["a\n\n\n", {}, "a\n"],
  ["  a \t\n\tb", {}, "  a\n\tb\n"],
  ["a\rb\r\nc\n", {}, "a\nb\nc\n"],
  ["a\rb", { ...off, eol: "crlf" }, "a\r\nb"],
  ["a \r\nb", { eol: "keep" }, "a\r\nb\r\n"],
  ["a\r\n\r\n", { eol: "keep" }, "a\r\n"],
  ["\ufeffa\ufeff", {}, "a\ufeff\n"],
  ["a\u00a0\u3000b\u2009", { plainSpaces: true }, "a  b\n"],
  ["a\u00a0\u3000b\u2009", {}, "a\u00a0\u3000b\u2009\n"],
  ["a  \nb   \r\nc \nd\t\n  \n", { hardBreaks: true }, "a  \nb   \nc\nd\n"],
  ["a\t  \nb  ", { hardBreaks: true, finalNewline: false }, "a\t  \nb  "],
  ["a  \n", { hardBreaks: true, trimTrailing: false }, "a  \n"],
  ["\ufeffa\u00a0\t\r\n", off, "\ufeffa\u00a0\t\r\n"],
  ["a\tb\n\tc", { ...off, tabWidth: 4 }, "a   b\n    c"],
  ["ab\t\tc", { ...off, tabWidth: 2 }, "ab    c"],
  ["👋\tx", { ...off, tabWidth: 4 }, "👋   x"],
])("%j with %j is %j", async (data, options, result) => {
  expect(await runTool(tool, { data, ...options })).toBe(result);
});

test("changes nothing in its own output", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."a \t\r\n\u00a0\ufeff"), maxLength: 20 });
  const options = fc.record({
    eol: fc.constantFrom("keep", "lf", "crlf"),
    trimTrailing: fc.boolean(),
    finalNewline: fc.boolean(),
    plainSpaces: fc.boolean(),
    stripBom: fc.constant(false),
  });
  await fc.assert(
    fc.asyncProperty(text, options, async (data, chosen) => {
      const once = await runTool(tool, { data, ...chosen });
      expect(await runTool(tool, { data: once, ...chosen })).toBe(once);
      if (chosen.trimTrailing) expect(once).not.toMatch(/[ \t](?:[\r\n]|$)/);
      if (chosen.eol === "lf") expect(once).not.toContain("\r");
      if (chosen.eol === "crlf") expect(once).not.toMatch(/[^\r]\n|\r[^\n]/);
    }),
    { numRuns: 500 },
  );
});

test("handles a megabyte of spaces within lines in linear time", async () => {
  const cost = startCost();
  await runTool(tool, { data: `${" ".repeat(1_000_000)}x`, tabWidth: 8 });
  await runTool(tool, { data: " x".repeat(500_000) });
  expect(cost()).toBeLessThan(200);
});
