import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
// For the processes of the tests, and those that they start from the sources: compiling these is half of their work.
process.env["NODE_COMPILE_CACHE"] ??= `${root}dist/cache/compiled`;

/** A folder of tests is a project: its name says what they need, and how they are isolated (`test/unit/house/test-folders.test.ts`). */
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
    provide: { long: false, seed: seedOfCases(), tool: process.env["TEST_TOOL"] ?? "" },
    projects: [
      {
        extends: true,
        // The files share processes. These end when a file of another project is next, so this project is first.
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          isolate: false,
          // They wait for nothing, and each process loads most of the source.
          maxWorkers: availableParallelism(),
          // Node loads the files itself, and strips their types. In modules that Vite transforms, each use of an import is a look-up: the
          // tests take an eighth more CPU time.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          setupFiles: ["test/run/page-modules.ts"],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: ["test/system/**/*.test.ts"],
          exclude: ["**/node_modules/**"],
          sequence: { groupOrder: 1 },
        },
      },
    ],
    reporters: ["default", "json", "./test/run/reporter.ts"],
    outputFile: { json: "dist/test-results.json" },
  },
});

/** Begins a commit's hash, so that each commit tests other cases; TEST_SEED repeats those of another one. Zeros outside of Git. */
function seedOfCases(): string {
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
