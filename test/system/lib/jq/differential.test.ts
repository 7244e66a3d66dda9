import { execFileSync } from "node:child_process";
import { expect, inject, test } from "vitest";
import { JqError } from "../../../../src/lib/jq/fault.ts";
import { boundedLimits, LimitError } from "../../../../src/lib/jq/meter.ts";
import { parseJson } from "../../../../src/lib/jq/read-json.ts";
import { compileJq } from "../../../../src/lib/jq/run.ts";
import { toText } from "../../../../src/lib/jq/write-json.ts";
import { atHand } from "../../../support/at-hand.ts";
import { isLong } from "../../../support/cases.ts";
import { createDraw, drawDocument, drawFilter } from "./filters.ts";

/** Filters in one process of the other program. */
const together = 20;

/** What 1.8 answers otherwise than gojq 0.12.11 and jq 1.6, such as paths(f), which asks f about the document itself, too; oracle/oracle.test.ts compares it. */
const newer =
  /\bpaths\(|\b(?:from_entries|index|rindex|isinfinite|isnan|isnormal|abs|reverse|limit|leaf_paths|walk)\b/;

// gojq 0.12.11 sorts keys and indexes strings. Where it differs otherwise, as in paths of null that |= deletes, jq 1.6 decides.
test.skipIf(!atHand("gojq") || !atHand("jq"))(
  "generated filters give what gojq or jq gives",
  async () => {
    const draw = createDraw(Number.parseInt(inject("seed"), 16));
    const different: unknown[] = [];
    let compared = 0;
    for (let round = 0; round < (isLong() ? 10_000 : 400); round += together) {
      const data = drawDocument(draw);
      const filters = Array.from({ length: together }, () => drawFilter(draw, 1 + draw(3)));
      const mine: { filter: string; ours: string }[] = [];
      for (const filter of filters.filter((one) => !newer.test(one))) {
        const ours = await runOurs(filter, data);
        if (ours !== undefined) mine.push({ filter, ours });
      }
      const theirs = runTheirs(
        "gojq",
        mine.map(({ filter }) => filter),
        data,
      );
      for (const [at, { filter, ours }] of mine.entries()) {
        compared++;
        if (ours === theirs[at]) continue;
        const [second] = runTheirs("jq", [filter], data);
        if (ours !== second) different.push({ data, filter, ours, gojq: theirs[at], jq: second });
      }
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  },
  600_000,
);

/** The results in one array, the word error, or undefined where the two differ by design. */
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
    return /^Cannot (?:index (?:string with number|null with)|check whether null has)/.test(error.message)
      ? undefined
      : "error";
  }
}

function runTheirs(command: "gojq" | "jq", filters: readonly string[], data: string): string[] {
  const program = filters.map((filter) => `(try ([limit(30; ${filter})] | tojson) catch "error")`).join(", ");
  return execFileSync(command, ["-c", program], { input: data, encoding: "utf8", timeout: 60_000 })
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const text = JSON.parse(line) as string;
      return text === "error" ? text : toText(parseJson(text), { sortKeys: true });
    });
}
