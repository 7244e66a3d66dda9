import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { tools } from "../../src/tools/index.ts";
import { inlineBytes, mostTimes } from "./measure.ts";
import type { Row } from "./run.ts";

const script = fileURLToPath(new URL("run.ts", import.meta.url));

/** Rows of one run of the search, over the worst inputs that are known and a few random ones. */
async function search(...args: string[]): Promise<Row[]> {
  const run = promisify(execFile)(process.execPath, [script, ...args], { maxBuffer: 64 * 1024 * 1024 });
  // It exits with 1 where a tool costs too much; the rows say which.
  const { stdout } = await run.catch((error: { stdout?: string }) => {
    if (error.stdout) return { stdout: error.stdout };
    throw error;
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

test(
  `a body of ${inlineBytes / 1024} KiB costs a tool on the event loop at most ${mostTimes} times what it costs json-formatter`,
  { timeout: 600_000 },
  async () => {
    const rows = await search("--budget", "300");
    const inline = (await createCatalog(tools).all()).filter(({ isolate }) => !isolate);
    expect(rows.map(({ tool }) => tool)).toEqual(inline.map(({ slug }) => slug));
    expect(rows.filter(({ tooMuch }) => tooMuch)).toEqual([]);
  },
);
