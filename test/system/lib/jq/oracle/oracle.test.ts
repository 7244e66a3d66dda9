import { raw } from "jq-wasm";
import { expect, inject, test } from "vitest";
import { JqError } from "../../../../../src/lib/jq/fault.ts";
import { boundedLimits, LimitError } from "../../../../../src/lib/jq/meter.ts";
import { parseJson } from "../../../../../src/lib/jq/parse-json.ts";
import { compileJq } from "../../../../../src/lib/jq/run.ts";
import { toText } from "../../../../../src/lib/jq/write-json.ts";
import { isLong } from "../../../../support/cases.ts";
import { createDraw, drawDocument, drawFilter, isPathOfResult } from "../filters.ts";

// jq-wasm aborts on large documents and takes quadratic time, so the documents are small. Results and messages have to be the same.
test("generated filters give what jq 1.8.2 gives, its messages of errors included", async () => {
  const draw = createDraw(Number.parseInt(inject("seed"), 16));
  const different: { data: string; filter: string; ours: string; theirs: string }[] = [];
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
    if (ours.includes(refusal) && isPathOfResult(filter)) continue;
    if (ours !== theirs) different.push({ data, filter, ours, theirs });
  }
  // Both fail, one of them because of a path: the messages may name different faults, as in the last two filters below.
  const others = different.filter(
    ({ ours, theirs }) => !(isError(ours) && isError(theirs) && (ours + theirs).includes(refusal)),
  );
  expect(others).toEqual([]);
  expect(different.slice(Math.ceil(compared / 1000))).toEqual([]);
  expect(compared).toBeGreaterThan(100);
}, 1_200_000);

const refusal = "Invalid path expression";

test.each([
  ["path(any)", "[[0]]"],
  ["path(any or 2.5)", "[[0]]"],
  ["path(all and true)", "[[1]]"],
  ["del((any) or (2.5))", "[[false]]"],
])(
  "%s is a path for jq, which takes equal booleans for the same part, and refused here",
  async (filter, theirs) => {
    const program = `try [${filter}] catch .`;
    expect(isPathOfResult(filter)).toBe(true);
    expect(await runOurs(program, "[true,false]")).toContain(refusal);
    expect((await raw("[true,false]", program, ["-c"])).stdout).toBe(theirs);
  },
);

test.each(["[path((.[]) |= (label $out | (.b | ., break $out)))]", "[path((.[]) //= (walk(.b)))]"])(
  "%s fails in jq and here, although perhaps with the message of another of its faults",
  async (filter) => {
    const program = `try ${filter} catch {error: .}`;
    const answer = await raw('[[3],{"b":"x"}]', program, ["-c"]);
    expect(isError((await runOurs(program, '[[3],{"b":"x"}]')) ?? "")).toBe(true);
    expect(isError(answer.stdout)).toBe(true);
  },
);

const isError = (answer: string): boolean => answer.startsWith('{"error":');

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
