import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { tools } from "../../../src/tools/index.ts";
import { rankTools } from "../../../src/tools/rank-detected.ts";
import { pathsOf } from "../../unit/tools/detected-steps.ts";
import { readLabelled } from "../../unit/tools/labelled-inputs.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

const catalog = createCatalog(tools);

/** Kinds that the best tool reads in part: one entry of several, or some of the notations. */
const unread = new Set(["hex-dump", "jwt-wrapped", "networks", "time", "times", "sizes", "urls"]);

describe("the labelled inputs", () => {
  // The second set was written by somebody who had seen neither the first nor the tool, and read only to measure.
  it.each(["inputs.json", "second/inputs.json"])(
    "of %s have their best tool among the first three, 95 of 100 at least",
    async (file) => {
      const missed: string[] = [];
      const inputs = readLabelled(file);
      expect(inputs.length).toBeGreaterThanOrEqual(150);
      for (const { name, input, base64, tools: wanted } of inputs) {
        const ranked = await rankTools(
          Buffer.from(input ?? base64 ?? "", input === undefined ? "base64" : "utf8"),
          3,
        );
        if (!ranked.some(({ tool }) => tool === wanted[0])) missed.push(name);
      }
      expect(missed.length, missed.join(", ")).toBeLessThanOrEqual(inputs.length * 0.05);
    },
  );
});

describe("input-detector", () => {
  it("proposes steps that run, for inputs that need nothing else", async () => {
    const refused: string[] = [];
    let count = 0;
    for (const { name, input = "" } of readLabelled("inputs.json")) {
      const [first] = await rankTools(Buffer.from(input), 10);
      if (first === undefined || first.confidence < 0.9 || first.field !== "data" || first.needs.length > 0)
        continue;
      if (first.kind.endsWith("-broken") || unread.has(first.kind)) continue;
      const { offset = 0, length = input.length * 3 } = first.part ?? {};
      let data = Buffer.from(input)
        .subarray(offset, offset + length)
        .toString();
      count++;
      try {
        for (const step of first.steps)
          data = await runTool(await catalog.get(step.tool), { data, ...step.with });
      } catch (error) {
        refused.push(`${name}: ${pathsOf([first])[0]}: ${(error as Error).message}`);
      }
    }
    expect(refused).toEqual([]);
    expect(count).toBeGreaterThan(120);
  });
});
