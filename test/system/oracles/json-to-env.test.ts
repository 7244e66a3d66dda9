import * as fc from "fast-check";
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import toEnv from "../../../src/tools/data/json-to-env.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

const write = (value: unknown, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(toEnv, { data: typeof value === "string" ? value : JSON.stringify(value), ...options });

const awkwardText = fc.string({
  unit: fc.constantFrom("a", "é", " ", "#", "=", "'", '"', "`", "$", "\\", "n", "\n", "\t"),
  maxLength: 8,
});

test("exports what a shell reads to the same values without running any of it", async () => {
  const values = fc.sample(awkwardText, 300);
  const variables = Object.fromEntries(values.map((text, index) => [`V${index}`, text]));
  const script = `${await write(variables, { export: true })}\nprintf '%s\\0' ${values.map((_, index) => `"$V${index}"`).join(" ")}`;
  const { stdout, stderr } = spawnSync("sh", ["-eu"], { input: script, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout.split("\0").slice(0, -1)).toEqual(values);
});
