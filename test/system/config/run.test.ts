import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest";
import type { Results } from "../../run/results.ts";
import { sliceOf, sliceOfCommit, slices } from "../../run/slices.ts";
import { cases, turnOf } from "../../support/cases.ts";

// Runs test/run/run.ts over small projects below dist/, where the libraries are found.
const root = new URL("../../..", import.meta.url).pathname;
mkdirSync(join(root, "dist"), { recursive: true });
const projects = mkdtempSync(join(root, "dist/.runs-"));
afterAll(() => rmSync(projects, { recursive: true }));

/** Tests by what they do; each leaves a file behind, so that a second run can differ. */
const kinds = {
  passes: 'test("one", () => {}); test("two", () => {});',
  skips: 'test("one", () => {}); test.skip("two", () => {});',
  fails: 'test("one", () => {}); describe("part", () => { test("two", () => expect(1).toBe(2)); });',
  isFlaky:
    'describe("part", () => { test("one", () => { if (again) return; throw new Error("the first time"); }); test("two", () => {}); });',
  cannotBeLoaded: 'if (!again) throw new Error("not loaded"); test("one", () => {}); test("two", () => {});',
  throwsLater:
    'test("one", () => { setTimeout(() => { throw new Error("nobody waits"); }); return new Promise((done) => setTimeout(done, 50)); });',
};

interface Ran {
  status: number | null;
  output: string;
  results: Results & { flaky?: string[] };
}

function run(files: readonly (keyof typeof kinds)[]): Ran {
  const folder = mkdtempSync(join(projects, "run-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [index, kind] of files.entries()) {
    const mark = JSON.stringify(join(folder, `mark-${index}`));
    const head = `import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
const again = existsSync(${mark});
writeFileSync(${mark}, "");\n`;
    writeFileSync(join(folder, `${kind}-${index}.test.ts`), head + kinds[kind]);
  }
  const reporter = join(root, "test/run/reporter.ts");
  writeFileSync(
    join(folder, "vitest.config.ts"),
    `export default { root: ${JSON.stringify(folder)}, test: { maxWorkers: 1, provide: { seed: "abc" }, reporters: ["default", "json", ${JSON.stringify(reporter)}] } };`,
  );
  const file = join(folder, "results.json");
  const { TEST_UNHANDLED: _, VITEST: _vitest, ...env } = process.env;
  const args = ["--config", join(folder, "vitest.config.ts"), `--outputFile.json=${file}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "test/run/run.ts"), ...args], {
    cwd: folder,
    env: { ...env, NO_COLOR: "1", PATH: `${join(root, "node_modules/.bin")}:${env.PATH}` },
    encoding: "utf8",
  });
  return {
    status,
    output: stdout + stderr,
    results: JSON.parse(readFileSync(file, "utf8")) as Ran["results"],
  };
}

const countsOf = ({ numPassedTests, numFailedTests, numPendingTests, success }: Results): unknown[] => [
  numPassedTests,
  numFailedTests,
  numPendingTests,
  success,
];

test("a file that fails once is flaky: it is printed with its error, and the run passes", () => {
  const { status, output, results } = run(["passes", "isFlaky", "skips", "cannotBeLoaded"]);
  expect(status, output).toBe(0);
  expect(output).toMatch(
    /Flaky: isFlaky-1\.test\.ts failed, and passed .*\n {2}part one\n {2}Error: the first time/,
  );
  expect(output).toMatch(/Flaky: cannotBeLoaded-3\.test\.ts failed, and passed .*\n {2}not loaded/);
  expect(output).toContain("Cases of commit abc: TEST_SEED=abc repeats them.");
  expect(countsOf(results)).toEqual([7, 0, 1, true]);
  expect(results).toMatchObject({ numTotalTests: 8, numFailedTestSuites: 0, numPassedTestSuites: 5 });
  expect(results.testResults.map((one) => one.status)).toEqual(Array(4).fill("passed"));
  // In the order in which they ended.
  expect(results.flaky?.map((name) => name.split("/").at(-1)).toSorted()).toEqual([
    "cannotBeLoaded-3.test.ts",
    "isFlaky-1.test.ts",
  ]);
});

test("a file that fails twice fails the run, and counts once", () => {
  const { status, output, results } = run(["passes", "fails", "isFlaky"]);
  expect(status, output).toBe(1);
  expect(output.match(/Running \S+ again, alone/g)).toHaveLength(2);
  expect(output).toContain("Flaky: isFlaky-2");
  expect(output).not.toContain("Flaky: fails-1");
  expect(countsOf(results)).toEqual([5, 1, 0, false]);
  expect(results).toMatchObject({ numTotalTests: 6, numFailedTestSuites: 2, numPassedTestSuites: 3 });
});

test("a third flaky file fails the run", () => {
  const { status, output, results } = run(["isFlaky", "isFlaky", "cannotBeLoaded"]);
  expect(status, output).toBe(1);
  expect(output).toContain("3 test files are flaky, which is more than 2: the run fails.");
  expect(countsOf(results)).toEqual([6, 0, 0, true]);
});

test("an error outside of every test fails the run, though all tests pass in the end", () => {
  const { status, output } = run(["isFlaky", "throwsLater"]);
  expect(status, output).toBe(1);
  expect(output).not.toContain("again, alone");
});

describe("cases", () => {
  const list = Array.from({ length: 1000 }, (_, index) => index);

  test("are all of a short list, and evenly spread in a long one, from where the commit says", () => {
    const step = 5;
    const first = Number.parseInt(inject("seed"), 16) % step;
    expect(turnOf(step)).toBe(first);
    const spread = list.filter((index) => index % step === first);
    expect(cases(list)).toEqual(inject("long") ? list : spread);
    expect(cases(list.slice(0, 200))).toEqual(list.slice(0, 200));
    expect(cases([1], 1)).toEqual([1]);
    expect(cases([])).toEqual([]);
  });

  test("are never more than asked for, and never none", () => {
    if (inject("long")) return;
    for (const length of [1, 2, 11, 12, 13, 100]) {
      expect(cases(list.slice(0, length), 12).length).toBeLessThanOrEqual(12);
      expect(cases(list.slice(0, length), 12).length).toBeGreaterThan(0);
    }
  });
});

describe("slices of test/long", () => {
  const files = Array.from({ length: 30 }, (_, index) => `test/long/${index}.test.ts`);
  const seconds = Object.fromEntries(files.map((file, index) => [file, (index + 1) * 10]));
  const all = Array.from({ length: slices }, (_, index) => sliceOf(`${index + 1}/${slices}`, files, seconds));

  test("are together all files, each once, and take about the same time", () => {
    expect(all.flat().toSorted()).toEqual(files.toSorted());
    const costs = all.map((part) => part.reduce((sum, file) => sum + (seconds[file] ?? 0), 0));
    expect(Math.max(...costs) - Math.min(...costs)).toBeLessThanOrEqual(150);
    expect(sliceOf(undefined, files, seconds)).toEqual(files);
  });

  test("are selected by the hash of a commit", () => {
    expect(sliceOfCommit("000000000000aaaa")).toBe(`1/${slices}`);
    expect(sliceOfCommit("00000000000d")).toBe(`2/${slices}`);
  });

  test.each(["0/12", "13/12", "3", "a/b", "3/12/1"])("%s is refused", (slice) => {
    expect(() => sliceOf(slice, files, seconds)).toThrow("3/12");
  });
});
