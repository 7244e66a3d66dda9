import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../src/tools/diff/list-comparer.ts";
import { runTool } from "../../unit/tools/run-tool.ts";
import { drawSeed } from "../../support/cases.ts";

const folder = mkdtempSync(join(tmpdir(), "lists-"));
const list = fc.array(fc.stringMatching(/^[ab]{1,2}$/), { maxLength: 12 });
const pairs = fc.sample(fc.tuple(list, list), { numRuns: 200, seed: drawSeed() });
const toText = (items: string[]): string => items.map((item) => `${item}\n`).join("");

/** Runs a command of a shell on each pair of lists, in files `a` and `b`, and returns its lines for each. */
function askAll(command: string): string[][] {
  for (const [at, [a, b]] of pairs.entries()) {
    mkdirSync(join(folder, String(at)), { recursive: true });
    writeFileSync(join(folder, String(at), "a"), toText(a));
    writeFileSync(join(folder, String(at), "b"), toText(b));
  }
  const loop = `for at in $(seq 0 ${pairs.length - 1}); do (cd $at && ${command}); echo =; done`;
  const env = { ...process.env, LC_ALL: "C" };
  const { stdout } = spawnSync("sh", ["-c", loop], { cwd: folder, encoding: "utf8", env });
  const blocks = stdout.split("=\n").slice(0, -1);
  return blocks.map((block) => block.split("\n").filter((line) => line !== ""));
}

const compareAll = (options: Record<string, unknown>): Promise<string[][]> =>
  Promise.all(pairs.map((pair) => compare(pair, options)));

const compare = async ([a, b]: [string[], string[]], options: Record<string, unknown>): Promise<string[]> => {
  const result = await runTool(tool, { data: toText(a), other: toText(b), sort: true, ...options });
  return result.split("\n").filter((line) => line !== "");
};

test.each([
  ["first", "-23"],
  ["second", "-13"],
  ["both", "-12"],
])("repeated items only in %s are those of comm %s", async (show, columns) => {
  const found = askAll(`sort a -o a && sort b -o b && comm ${columns} a b`);
  expect(await compareAll({ show, repeated: true })).toEqual(found);
});

test("without repeated items they are those of grep -vxFf", async () => {
  expect(await compareAll({ show: "first" })).toEqual(askAll("grep -vxFf b a | sort -u"));
});

test("the union is sort -u of both", async () => {
  expect(await compareAll({ show: "either" })).toEqual(askAll("sort -u a b"));
});
