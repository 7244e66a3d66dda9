import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../src/tools/text/text-statistics.ts";
import { runTool } from "../../unit/tools/run-tool.ts";
import { atHand } from "../../support/at-hand.ts";
import { drawSeed } from "../../support/cases.ts";

const env = { ...process.env, LC_ALL: "C.UTF-8" };
/** Runs a command of a shell on each text, as its standard input, and returns what it prints for each. */
function askAll(command: string, texts: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "texts-"));
  for (const [at, text] of texts.entries()) writeFileSync(join(folder, String(at)), text);
  const loop = `for at in $(seq 0 ${texts.length - 1}); do (${command}) < $at; printf '\\036'; done`;
  const { stdout } = spawnSync("sh", ["-c", loop], { cwd: folder, encoding: "utf8", env });
  return stdout.split("\u001e").slice(0, -1);
}

const text = fc.string({ unit: fc.constantFrom(..."aabcB 1._-é漢\u{1f600}\n\n\t"), maxLength: 200 });
const sample = fc.sample(text, { numRuns: 300, seed: drawSeed() });

interface Counted {
  bytes: number;
  codePoints: number;
  wordsBySpace: number;
  lineBreaks: { lf: number };
  longestLine: { codePoints: number };
  entropyPerByte: number;
  frequent: { text: string; count: number }[];
}

const countAll = (texts: readonly string[], options: Record<string, unknown> = {}): Promise<Counted[]> =>
  Promise.all(texts.map(async (data) => JSON.parse(await runTool(tool, { data, ...options })) as Counted));

test("wc counts the same bytes, characters, words and line breaks", async () => {
  const found = await countAll(sample);
  expect(
    found.map((one) => [one.lineBreaks.lf, one.wordsBySpace, one.codePoints, one.bytes].join(" ")),
  ).toEqual(askAll("wc -lwmc", sample).map((line) => line.trim().replaceAll(/\s+/g, " ")));
});

test("wc -L finds the same longest line", async () => {
  // It counts columns: a tab goes to the next stop, and some characters take two.
  const narrow = sample.filter((one) => !/[\t漢\u{1f600}]/u.test(one));
  const found = await countAll(narrow);
  expect(found.map(({ longestLine }) => longestLine.codePoints)).toEqual(askAll("wc -L", narrow).map(Number));
});

test("sort and uniq -c count the same lines", async () => {
  const found = await countAll(sample, { unit: "line", frequent: 1000, ignoreCase: false });
  const counts = askAll("(cat; echo) | sort | uniq -c", sample).map((block) =>
    Array.from(block.matchAll(/^ *(\d+) (.+)$/gm), ([, count, line]) => `${line} ${count}`).toSorted(),
  );
  expect(found.map(({ frequent }) => frequent.map((one) => `${one.text} ${one.count}`).toSorted())).toEqual(
    counts,
  );
});

test.runIf(atHand("ent"))("ent calculates the same entropy", async () => {
  const full = sample.filter((one) => one !== "");
  const found = await countAll(full);
  for (const [at, answer] of askAll("ent", full).entries())
    expect(found[at]?.entropyPerByte).toBeCloseTo(
      Number(/Entropy = ([\d.]+) bits per byte/.exec(answer)?.[1]),
      5,
    );
});
