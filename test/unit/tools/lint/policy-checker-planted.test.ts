import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import tool from "../../../../src/tools/lint/policy-checker.ts";
import { runTool } from "../run-tool.ts";
import { type PlantedFile, plantedFiles } from "./planted-violations.ts";

const check = async ({ policy, format }: PlantedFile, data: string): Promise<string[]> =>
  (JSON.parse(await runTool(tool, { data, policy, dataFormat: format })) as Report).errors.map(
    ({ rule, line }) => `${line} ${rule}`,
  );

test.each(plantedFiles)("$name keeps its policy", async (file) => {
  expect(await check(file, file.text)).toEqual([]);
});

test("a hundred violations are planted", () => {
  expect(plantedFiles.flatMap(({ planted }) => planted)).toHaveLength(100);
});

const all = plantedFiles.flatMap((file) => file.planted.map((one) => ({ file, title: file.name, ...one })));

test.each(all)("$title: $rule finds $to", async ({ file, rule, from, to, above = 0 }) => {
  expect(file.text.split(from)).toHaveLength(2);
  const data = file.text.replace(from, () => to);
  const line = file.text.slice(0, file.text.indexOf(from)).split("\n").length - above;
  expect(await check(file, data)).toEqual([`${line} ${rule}`]);
});
