import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Report } from "../../../src/catalog/report.ts";
import { kindOfFile } from "../../../src/lib/config-files/kinds.ts";
import tool from "../../../src/tools/lint/config-validator.ts";
import { atHand, corpora } from "../../unit/corpora/corpus.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

// Configuration files of others, which their programs accept: whatever is found in them is listed here with its reason.

const find = async (name: string, data: string): Promise<string[]> => {
  const report = JSON.parse(await runTool(tool, { data, name })) as Report;
  return report.errors.map(({ severity, rule, pointer }) => `${severity} ${rule} ${pointer}`);
};

describe.skipIf(!atHand)("files of public projects", () => {
  const lines = readFileSync(new URL("real-files.jsonl", corpora), "utf8").split("\n").filter(Boolean);
  const files = lines
    .map((line) => JSON.parse(line) as { id: string; text: string })
    .filter(({ id }) => kindOfFile(id) !== undefined);

  test("there are some", () => {
    expect(files.length).toBeGreaterThanOrEqual(6);
  });

  test.each(files)("$id has no finding", async ({ id, text }) => {
    expect(await find(id, text)).toEqual([]);
  });
});

describe("files of installed packages", () => {
  const root = new URL("../../../node_modules", import.meta.url).pathname;
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => kindOfFile(path) !== undefined && !/(?:^|\/)(?:fixtures?|test|tests)\//.test(path),
  );

  test("hundreds have no finding but these", async () => {
    const found: string[] = [];
    for (const path of paths)
      for (const finding of await find(path, readFileSync(join(root, path), "utf8")))
        found.push(`${path}: ${finding}`);
    expect(found.filter((finding) => !known.test(finding))).toEqual([]);
    expect(paths.length).toBeGreaterThan(300);
  }, 120_000);
});

/** npm has author and contributors, and ignores authors. */
const known = /^(?:preact|@preact\/[\w-]+)\/package\.json: warning unknown-key \/authors$/;
