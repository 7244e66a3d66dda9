import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import merger from "../../../src/tools/diff/three-way-merger.ts";
import { drawSeed } from "../../support/cases.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

type Triple = [ours: string, base: string, theirs: string];

/** Replaces, removes and inserts lines that no other line equals, so that there is one shortest difference. */
const edits = fc.array(fc.tuple(fc.nat({ max: 11 }), fc.constantFrom("replace", "remove", "insert")), {
  maxLength: 4,
});
const base = Array.from({ length: 12 }, (_, at) => `line ${at}`);
const edit = (changes: [number, string][], mark: string): string => {
  const lines = base.map((line) => [line]);
  for (const [at, kind] of changes)
    lines[at] =
      kind === "remove" ? [] : kind === "replace" ? [`${mark} ${at}`] : [`${mark} new ${at}`, `line ${at}`];
  return lines
    .flat()
    .map((line) => `${line}\n`)
    .join("");
};
const text = base.map((line) => `${line}\n`).join("");
const unlike = fc.tuple(edits, edits).map(([a, b]): Triple => [edit(a, "a"), text, edit(b, "b")]);
/** The same, where both sides may make the same change. */
const alike = fc.tuple(edits, edits).map(([a, b]): Triple => [edit(a, "x"), text, edit(b, "x")]);
/** Texts of a few different lines, whose differences can be read in several ways. */
const line = fc.constantFrom("a", "b", "c", "}");
const toText = (lines: readonly string[]): string => lines.map((one) => `${one}\n`).join("");
const random = fc
  .tuple(
    fc.array(line, { minLength: 4, maxLength: 10 }),
    fc.array(fc.tuple(fc.nat({ max: 9 }), line), { minLength: 2, maxLength: 3 }),
  )
  .map(([lines, [first, ...rest]]): Triple => {
    const [ours, theirs] = [[...lines], [...lines]];
    if (first !== undefined) ours.splice(first[0] % lines.length, 1, first[1]);
    for (const [at, one] of rest) theirs.splice(at % lines.length, at % 2, one);
    return [toText(ours), toText(lines), toText(theirs)];
  });

const draw = (of: fc.Arbitrary<Triple>, numRuns: number): Triple[] =>
  fc.sample(of, { numRuns, seed: drawSeed() });

/** Runs a command of a shell on each triple, in files `ours`, `base` and `theirs`, and returns what it prints for each. */
function askAll(command: string, triples: readonly Triple[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "merge-"));
  for (const [at, texts] of triples.entries()) {
    mkdirSync(join(folder, String(at)));
    for (const [of, name] of ["ours", "base", "theirs"].entries())
      writeFileSync(join(folder, String(at), name), texts[of] ?? "");
  }
  const loop = `for at in $(seq 0 ${triples.length - 1}); do (cd $at && ${command}); printf '\\036'; done`;
  const { stdout } = spawnSync("sh", ["-c", loop], { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 26 });
  return stdout.split("\u001e").slice(0, -1);
}

const mergeAll = (triples: readonly Triple[], options: Record<string, unknown>): Promise<string[]> =>
  Promise.all(
    triples.map(([data, before, other]) => runTool(merger, { data, base: before, other, ...options })),
  );

const labels = "-L ours -L base -L theirs";

test.each([
  ["--diff3", { style: "diff3" }],
  ["--zdiff3", { style: "zdiff3" }],
  ["", { style: "merge" }],
  ["--ours", { conflicts: "ours" }],
  ["--theirs", { conflicts: "theirs" }],
  ["--union", { conflicts: "union" }],
  ["--marker-size=10", { markerSize: 10 }],
])("git merge-file %s merges 400 triples in the same way, to the byte", async (option, options) => {
  const triples = [...draw(unlike, 200), ...draw(alike, 200)];
  const found = askAll(`git merge-file -p ${labels} ${option} ours base theirs`, triples);
  expect(await mergeAll(triples, options)).toEqual(found);
});

test("diff3 -m merges them in the same way", async () => {
  const triples = draw(unlike, 300);
  const found = askAll(`diff3 -m ${labels} ours base theirs`, triples);
  // It puts marks around a change that both have made, too.
  const plain = found.map((one) =>
    one.replaceAll(/<<<<<<< base\n[^]*?=======\n([^]*?)>>>>>>> theirs\n/g, "$1"),
  );
  expect(await mergeAll(triples, { style: "diff3" })).toEqual(plain);
});

test("of random triples, those that git merge-file merges without a conflict have the same result in nine of ten", async () => {
  const triples = draw(random, 500);
  const found = askAll(`git merge-file -p ${labels} ours base theirs`, triples);
  const merged = await mergeAll(triples, {});
  const clean = found.flatMap((one, at) => (one.includes("<<<<<<<") ? [] : [[one, merged[at]] as const]));
  expect(clean.length).toBeGreaterThan(100);
  const same = clean.filter(([one, other]) => one === other);
  expect(same.length / clean.length).toBeGreaterThan(0.9);
});
