import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Reporter, TestModule, TestSpecification, Vitest } from "vitest/node";
import { installPackages } from "../support/install-packages.ts";
import { atHand } from "../unit/corpora/corpus.ts";
import { readImports } from "../unit/house/imports.ts";
import { describeSuites } from "./suites.ts";

const root = new URL("../..", import.meta.url).pathname;
const maxSlowest = 10;

/**
 * Installs the packages that the chosen files need. Prints the seed of the cases and, at the end of a run, the slowest files, each third-party
 * suite once, as run or skipped, and the name of every other skipped test, so that a green run shows what was left out. Writes the number of errors outside of tests into the file
 * that TEST_UNHANDLED names (`run.ts`).
 */
export default class RunReporter implements Reporter {
  onInit(vitest: Vitest): void {
    const { seed } = vitest.config.provide;
    process.stdout.write(`Cases of commit ${seed}: TEST_SEED=${seed} repeats them.\n`);
  }

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    const folders = packagesOf(specifications.map(({ moduleId }) => moduleId));
    if (folders.length === 0) return;
    await installPackages(...folders).catch((error: unknown) => {
      // Without a network, only the tests that need a package fail.
      process.stderr.write(`${(error as { stderr: string }).stderr}`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const file = process.env.TEST_UNHANDLED;
    if (file !== undefined) writeFileSync(file, String(unhandled.length));
    if (modules.length > maxSlowest) printSlowest(modules);
    const overSuites = modules.filter(({ moduleId }) => importsSuites(moduleId));
    const hasAll = overSuites.some(({ moduleId }) => moduleId.endsWith("/system/corpora/corpora.test.ts"));
    if (hasAll || (overSuites.length > 0 && !atHand))
      process.stdout.write(describeSuites(overSuites.length, atHand));
    const listed = atHand ? modules : modules.filter((module) => !overSuites.includes(module));
    const skipped = listed.flatMap((module) => [...module.children.allTests("skipped")]);
    if (skipped.length === 0) return;
    process.stdout.write(`\nSkipped (${skipped.length}):\n`);
    for (const { module, fullName } of skipped)
      process.stdout.write(`  ${module.relativeModuleId}: ${fullName}\n`);
  }
}

const importsSuites = (file: string): boolean =>
  readImports(readFileSync(file, "utf8")).some(({ from }) => from.endsWith("/corpus.ts"));

function printSlowest(modules: readonly TestModule[]): void {
  const timed = modules.map((module) => {
    const { duration, collectDuration } = module.diagnostic();
    return { path: module.relativeModuleId, ms: duration + collectDuration };
  });
  process.stdout.write("\nSlowest files:\n");
  for (const { path, ms } of timed.toSorted((a, b) => b.ms - a.ms).slice(0, maxSlowest))
    process.stdout.write(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${path}\n`);
}

/** Returns the folders with packages of their own in which the files or those that they import lie. */
export function packagesOf(files: readonly string[]): string[] {
  const seen = new Set(files);
  const folders = new Set<string>();
  for (const file of seen) {
    for (let folder = dirname(file); folder.startsWith(`${root}test/`); folder = dirname(folder))
      if (existsSync(join(folder, "package-lock.json"))) folders.add(relative(root, folder));
    for (const { from, typeOnly } of readImports(readFileSync(file, "utf8"))) {
      if (typeOnly || !from.startsWith(".")) continue;
      const next = join(dirname(file), from);
      if (next.startsWith(`${root}test/`) && next.endsWith(".ts") && existsSync(next)) seen.add(next);
    }
  }
  return [...folders].toSorted();
}
