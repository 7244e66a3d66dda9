import { raw } from "jq-wasm";
import { expect, inject, test } from "vitest";
import { JqError } from "../../../../../src/lib/jq/fault.ts";
import { boundedLimits, LimitError } from "../../../../../src/lib/jq/meter.ts";
import { parseJson } from "../../../../../src/lib/jq/read-json.ts";
import { compileJq } from "../../../../../src/lib/jq/run.ts";
import { toText } from "../../../../../src/lib/jq/write-json.ts";
import { isLong } from "../../../../support/cases.ts";
import { createDraw, drawDocument, drawFilter } from "../filters.ts";

// jq-wasm aborts on large documents and takes quadratic time, so the documents are small. Results and messages have to be the same.
test("generated filters give what jq 1.8.2 gives, its messages of errors included", async () => {
  const draw = createDraw(Number.parseInt(inject("seed"), 16));
  const different: unknown[] = [];
  let compared = 0;
  for (let round = 0; round < (isLong() ? 10_000 : 200); round++) {
    const data = drawDocument(draw);
    const filter = drawFilter(draw, 1 + draw(3));
    const program = `try [limit(30; ${filter})] catch {error: .}`;
    const ours = await runOurs(program, data);
    if (ours === undefined) continue;
    const { stdout, stderr, exitCode } = await raw(data, program, ["-c", "-S"]);
    compared++;
    const theirs = exitCode === 0 ? stdout : stderr;
    if (ours !== theirs) different.push({ data, filter, ours, theirs });
  }
  // jq remembers which part a path expression selected last even where the value is another one, as after `any` in `any or 1`.
  expect(different.slice(Math.ceil(compared / 1000))).toEqual([]);
  expect(compared).toBeGreaterThan(100);
}, 1_200_000);

/** The result, or undefined if the filter takes too many steps. */
async function runOurs(program: string, data: string): Promise<string | undefined> {
  const limits = { ...boundedLimits, steps: 100_000 };
  const filter = await compileJq(program, { variables: new Map(), files: false, limits });
  const world = { input: () => undefined, now: () => 0, message: () => {}, filename: () => null };
  try {
    return toText(filter.run(parseJson(data), world).next() ?? null, { sortKeys: true });
  } catch (error) {
    if (error instanceof LimitError) return undefined;
    if (error instanceof JqError) return `uncaught: ${error.message}`;
    throw error;
  }
}
