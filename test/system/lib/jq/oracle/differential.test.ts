import { execFileSync } from "node:child_process";
import { raw } from "jq-wasm";
import { expect, inject, test } from "vitest";
import { JqError } from "../../../../../src/lib/jq/fault.ts";
import { boundedLimits, LimitError } from "../../../../../src/lib/jq/meter.ts";
import { parseJson } from "../../../../../src/lib/jq/parse-json.ts";
import { compileJq } from "../../../../../src/lib/jq/run.ts";
import { toText } from "../../../../../src/lib/jq/write-json.ts";
import { atHand } from "../../../../support/at-hand.ts";
import { isLong } from "../../../../support/cases.ts";
import { createDraw, drawDocument, drawFilter, isPathOfResult } from "../filters.ts";

/** Filters in one process of the other program. */
const together = 20;

// gojq 0.12.11 is older than jq 1.8 and indexes strings. Where it differs, jq 1.8.2 decides.
test.skipIf(!atHand("gojq"))(
  "generated filters give what gojq gives, or else what jq 1.8.2 gives",
  async () => {
    const draw = createDraw(Number.parseInt(inject("seed"), 16));
    const different: unknown[] = [];
    let compared = 0;
    for (let round = 0; round < (isLong() ? 10_000 : 400); round += together) {
      const data = drawDocument(draw);
      const filters = Array.from({ length: together }, () => drawFilter(draw, 1 + draw(3)));
      const mine: { filter: string; ours: string }[] = [];
      for (const filter of filters) {
        const ours = await runOurs(filter, data);
        if (ours !== undefined) mine.push({ filter, ours });
      }
      const theirs = runGojq(
        mine.map(({ filter }) => filter),
        data,
      );
      for (const [at, { filter, ours }] of mine.entries()) {
        compared++;
        if (ours === theirs[at]) continue;
        if (ours === "error" && isPathOfResult(filter)) continue;
        const jq = await runJq(filter, data);
        if (ours !== jq) different.push({ data, filter, ours, gojq: theirs[at], jq });
      }
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  },
  600_000,
);

/** The results in one array, the word error, or undefined if the filter takes too many steps. */
async function runOurs(filter: string, data: string): Promise<string | undefined> {
  const limits = { ...boundedLimits, steps: 100_000 };
  const compiled = await compileJq(`[limit(30; ${filter})]`, { variables: new Map(), files: false, limits });
  try {
    const world = { input: () => undefined, now: () => 0, message: () => {}, filename: () => null };
    const result = compiled.run(parseJson(data), world).next() ?? null;
    return toText(result, { sortKeys: true });
  } catch (error) {
    if (error instanceof LimitError) return undefined;
    if (!(error instanceof JqError)) throw error;
    return "error";
  }
}

function runGojq(filters: readonly string[], data: string): string[] {
  const program = filters.map((filter) => `(try ([limit(30; ${filter})] | tojson) catch "error")`).join(", ");
  return execFileSync("gojq", ["-c", program], { input: data, encoding: "utf8", timeout: 60_000 })
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const text = JSON.parse(line) as string;
      return text === "error" ? text : toText(parseJson(text), { sortKeys: true });
    });
}

async function runJq(filter: string, data: string): Promise<string> {
  const { stdout, exitCode } = await raw(data, `[limit(30; ${filter})]`, ["-c", "-S"]);
  return exitCode === 0 ? stdout : "error";
}
