import type { Reporter, TestModule } from "vitest/node";

/** Prints the name of every skipped test at the end of a run, so that a green run shows what was left out. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    if (skipped.length === 0) return;
    process.stdout.write(`\nSkipped (${skipped.length}):\n`);
    for (const { module, fullName } of skipped)
      process.stdout.write(`  ${module.relativeModuleId}: ${fullName}\n`);
  }
}
