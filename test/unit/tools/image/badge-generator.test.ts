import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/image/badge-generator.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const draw = (input: Record<string, unknown>): Promise<string> => runTool(tool, input);
const widthOf = (svg: string): number => Number(/ width="(\d+)"/.exec(svg)?.[1]);

test("label and message, with their colours", async () => {
  const svg = await draw({ data: "98%", label: "coverage", color: "#0a0", labelColor: "black" });
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="20" role="img" aria-label="coverage: 98%"><title>coverage: 98%<\/title>/,
  );
  expect(svg.match(/fill="black"|fill="#0a0"/g)).toEqual(['fill="black"', 'fill="#0a0"']);
  expect(svg).toContain("linearGradient");
  expect(await draw({ data: "98%", style: "flat-square" })).not.toContain("linearGradient");
});

test("longer texts are wider, ideographs are wider than letters, combining marks add no width", async () => {
  const widths = await Promise.all(
    ["i", "m", "mm", "日本語日本語", "e"].map(async (data) => widthOf(await draw({ data }))),
  );
  expect(widths.slice(0, 4)).toEqual(widths.slice(0, 4).toSorted((a, b) => a - b));
  expect(widthOf(await draw({ data: "e\u0301" }))).toBe(widths[4]);
});

test("texts stay within their half of the badge", async () => {
  const nasty = fc.string({
    unit: fc.constantFrom("<", ">", "&", '"', "'", "]]>", "a", " ", "</text>", "é"),
    maxLength: 10,
  });
  const skeleton = (svg: string): string => svg.replaceAll(/>[^<]*</g, "><").replaceAll(/"[^"]*"/g, '""');
  const plain = skeleton(await draw({ data: "a", label: "b" }));
  await fc.assert(
    fc.asyncProperty(nasty, nasty, async (data, label) => {
      fc.pre(data.trim() !== "" && label.trim() !== "");
      expect(skeleton(await draw({ data, label }))).toBe(plain);
    }),
  );
});

test("line ends become spaces", async () => {
  expect(await draw({ data: "a\n  b\t" })).toBe(await draw({ data: "a b" }));
});

test.each([
  [{ data: "a\u0000" }, "invalid_document", undefined],
  [{ data: "\ud800" }, "invalid_document", undefined],
  [{ data: "a", label: "\u0008" }, "invalid_input", "/label"],
  [{ data: "a", color: 'red" onload="x' }, "invalid_input", "/color"],
  [{ data: "a", labelColor: "rgb(1,2,3)" }, "invalid_input", "/labelColor"],
  [{ data: "a".repeat(257) }, "invalid_input", "/data"],
])("%j is refused", async (input, code, pointer) => {
  expect(await refusalOf(draw(input))).toMatchObject({ code, ...(pointer !== undefined && { pointer }) });
});
