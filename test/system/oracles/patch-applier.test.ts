import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import applier from "../../../src/tools/diff/patch-applier.ts";
import differ from "../../../src/tools/diff/text-differ.ts";
import { drawSeed } from "../../support/cases.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

const lines = (max: number): fc.Arbitrary<string[]> =>
  fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: max });
const toText = (of: readonly string[]): string => of.map((line) => `${line}\n`).join("");

interface Case {
  document: string;
  patch: string;
}

/** Patches between two texts, for a third text that is nearly the first: with lines before it, and one other line. */
const cases = Promise.all(
  fc
    .sample(
      fc.tuple(
        lines(12).filter((some) => some.length > 0),
        lines(12),
        lines(4),
        fc.nat({ max: 11 }),
        fc.constantFrom("a", "x"),
        fc.nat({ max: 3 }),
      ),
      { numRuns: 400, seed: drawSeed() },
    )
    .map(async ([before, after, head, at, other, context]): Promise<Case> => {
      const patch = await runTool(differ, { data: toText(before), other: toText(after), context });
      return {
        document: toText([...head, ...before.with(Math.min(at, before.length - 1), other)]),
        patch,
      };
    }),
).then((all) => all.filter(({ patch }) => patch !== ""));

/** Runs a command of a shell for each case, in a folder with the files `document` and `p`. */
function askAll(command: string, all: readonly Case[]): { done: boolean; text: string }[] {
  const folder = mkdtempSync(join(tmpdir(), "patch-"));
  for (const [at, { document, patch }] of all.entries()) {
    mkdirSync(join(folder, String(at)));
    writeFileSync(join(folder, String(at), "document"), document);
    writeFileSync(
      join(folder, String(at), "p"),
      patch.replace(/^--- .*\n\+\+\+ .*\n/, "--- a/document\n+++ b/document\n"),
    );
  }
  const loop = `for at in $(seq 0 ${all.length - 1}); do (cd $at && ${command}) >/dev/null 2>&1; echo $?; done`;
  const { stdout } = spawnSync("sh", ["-c", loop], { cwd: folder, encoding: "utf8" });
  const statuses = stdout.trim().split("\n");
  return all.map((_, at) => ({
    done: statuses[at] === "0",
    text: readFileSync(join(folder, String(at), "document"), "utf8"),
  }));
}

test.each([0, 1, 2])("GNU patch with -F%i applies the same hunks at the same places", async (fuzz) => {
  const all = await cases;
  const found = askAll(`patch -s -f -F${fuzz} -r - document p`, all);
  let applied = 0;
  for (const [at, { document, patch }] of all.entries()) {
    const input = { data: document, patch, fuzz, rejects: "skip" };
    const { rejected } = JSON.parse(await runTool(applier, { ...input, output: "report" })) as {
      rejected: number;
    };
    expect({ done: rejected === 0, text: await runTool(applier, input) }, JSON.stringify(all[at])).toEqual(
      found[at],
    );
    if (rejected === 0) applied++;
  }
  expect(applied).toBeGreaterThan(50);
});

test("git apply applies a patch to the text that it was made for, and both reverse it", async () => {
  const pairs = fc
    .sample(fc.tuple(lines(12), lines(12)), { numRuns: 100, seed: drawSeed() })
    .filter(([a]) => a.length > 0);
  const all = await Promise.all(
    pairs.map(async ([a, b]) => ({
      document: toText(a),
      after: toText(b),
      patch: await runTool(differ, { data: toText(a), other: toText(b) }),
    })),
  );
  const changed = all.filter(({ patch, after }) => patch !== "" && after !== "");
  const found = askAll("git apply p", changed);
  expect(found).toEqual(changed.map(({ after }) => ({ done: true, text: after })));
  for (const { document, after, patch } of changed) {
    expect(await runTool(applier, { data: document, patch })).toBe(after);
    expect(await runTool(applier, { data: after, patch, reverse: true })).toBe(document);
  }
});

test("diff -u writes patches that are applied", async () => {
  const folder = mkdtempSync(join(tmpdir(), "diff-"));
  for (const [a, b] of fc.sample(fc.tuple(lines(12), lines(12)), { numRuns: 40, seed: drawSeed() })) {
    writeFileSync(join(folder, "a"), toText(a));
    writeFileSync(join(folder, "b"), toText(b).trimEnd());
    const { stdout } = spawnSync("diff", ["-u", "a", "b"], { cwd: folder, encoding: "utf8" });
    expect(await runTool(applier, { data: toText(a), patch: stdout })).toBe(toText(b).trimEnd());
  }
});
