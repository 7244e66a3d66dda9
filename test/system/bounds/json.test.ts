import { expect, test } from "vitest";
import jsonToTypes from "../../../src/tools/data/json-to-types.ts";
import merger from "../../../src/tools/diff/json-merger.ts";
import flattener from "../../../src/tools/json/json-flattener.ts";
import { startCost } from "../../cost/start-cost.ts";
import { refusalOf, runTool } from "../../unit/tools/run-tool.ts";

test.each(["gron", "dotted", "pointer"])(
  "paths in style %s cannot multiply a document without a limit",
  async (style) => {
    const data = `${`{"${"k".repeat(1000)}":`.repeat(400)}[${"1,".repeat(400)}1]${"}".repeat(400)}`;
    expect(await refusalOf(runTool(flattener, { data, indent: 0, style }))).toMatchObject({
      code: "invalid_document",
    });
  },
);

test.each(["typescript", "rust"])(
  "thousands of keys with the same name in %s cost little",
  async (language) => {
    const members = Array.from({ length: 20_000 }, (_, at) => {
      return `"${String.fromCodePoint(0x4e00 + at)}":{"${String.fromCodePoint(0x4e00 + at)}":1}`;
    });
    const cost = startCost();
    const written = await runTool(jsonToTypes, { data: `{${members.join(",")}}`, language });
    expect(written.includes("Value20000")).toBe(true);
    expect(cost()).toBeLessThan(400);
  },
);

test("tens of thousands of other values cost little where the layout is kept", async () => {
  const write = (value: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`k${at}`, value])));
  const cost = startCost();
  expect(await runTool(merger, { data: write(1), other: write(2), indent: 0, layout: "keep" })).toBe(
    write(2),
  );
  expect(cost()).toBeLessThan(400);
});
