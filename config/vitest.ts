import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./vitest-order.ts";

const root = new URL("..", import.meta.url).pathname;
// For the processes of the tests, and those that they start from the sources: compiling these is half of their work.
process.env["NODE_COMPILE_CACHE"] ??= `${root}dist/cache/compiled`;

export default defineConfig({
  root,
  test: {
    globalSetup: ["test/run/setup.ts"],
    // Deadlines against hanging only: a loaded machine takes many times as long as a quiet one.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
    // More files at once than cores: many tests wait for intervals, disks and processes.
    maxWorkers: availableParallelism() + 4,
    // Megabytes of a half of V8's young generation, which starts with one: a tenth less work for the collector.
    execArgv: ["--min-semi-space-size=16"],
    provide: { long: false, seed: seedOfSamples() },
    sequence: { sequencer: LongestFirst },
    projects: [
      // Files of test/unit change nothing of their process, and share it.
      { extends: true, test: { name: "unit", include: ["test/unit/**/*.test.ts"], isolate: false } },
      {
        extends: true,
        test: { name: "system", include: ["test/system/**/*.test.ts"], exclude: ["**/node_modules/**"] },
      },
    ],
    reporters: ["default", "json", "./test/run/reporter.ts"],
    outputFile: { json: "dist/test-results.json" },
  },
});

/** Begins a commit's hash, so that each commit tests other samples; TEST_SEED repeats those of another one. Zeros outside of Git. */
function seedOfSamples(): string {
  const given = process.env["TEST_SEED"];
  if (given !== undefined && /^[0-9a-f]{1,12}$/.test(given)) return given;
  if (given !== undefined) throw new Error(`TEST_SEED must be 1 to 12 hexadecimal digits, got ${given}.`);
  try {
    const options = { cwd: root, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", ["rev-parse", "HEAD"], options).slice(0, 12);
  } catch {
    return "000000000000";
  }
}
