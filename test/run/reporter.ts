import { writeFileSync } from "node:fs";
import type { Reporter, TestModule, Vitest } from "vitest/node";

/**
 * Prints the seed of the samples, the name of every skipped test at the end of a run, so that a green run shows what was left out, and writes the
 * number of errors outside of tests into the file that TEST_UNHANDLED names (`run.ts`).
 */
export default class RunReporter implements Reporter {
  onInit(vitest: Vitest): void {
    const { seed } = vitest.config.provide;
    process.stdout.write(`Samples of commit ${seed}: TEST_SEED=${seed} repeats them.\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const file = process.env.TEST_UNHANDLED;
    if (file !== undefined) writeFileSync(file, String(unhandled.length));
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    if (skipped.length === 0) return;
    process.stdout.write(`\nSkipped (${skipped.length}):\n`);
    for (const { module, fullName } of skipped)
      process.stdout.write(`  ${module.relativeModuleId}: ${fullName}\n`);
  }
}
