import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./vitest-order.ts";

const root = new URL("..", import.meta.url).pathname;
const include = ["test/**/*.test.ts", "config/**/*.test.ts"];
const files = globSync(include, { cwd: root, exclude: ["**/node_modules/**"] });

/** Folders whose tests run in the process of the test: pure functions, and servers on ports of their own. */
const inProcess =
  /^test\/(?:bench|catalog|checks|cli|config|corpora|house|lib|patches|polyfill|reports|sarif|services|surfaces|tools)\//;
/** Folders whose tests start programs and are their clients. */
const ofPrograms = /^test\/(?:build|chaos|ci|cost|e2e|fuzz|image|openapi)\//;
/** What a file names that changes or measures its whole process: such a file gets a process of its own. */
const processWide = joined([
  // `process.host` and `process.seen` are those of a simulated command; a space or the end of a line follows the word in a comment.
  /\bprocess\.(?!env\b|execPath|getuid|platform|kill|std(?:out|err)\.write|host|seen| |$)/m,
  /\bprocess\.env\S* =[^=]|delete process\.env|\bvi\.(?!fn\b|waitFor\b)/,
  /\bglobalThis\.|setFlagsFromString|worker_threads"|\bcreatePool\(|sharedRedis|\bdrivers\b(?!\.ts)|\/proc\/self/,
  /from ".*(?:\/connection|outage-node|workers)\.ts"/,
]);
/** What a file names that starts other programs beside it. */
const startsPrograms = joined([
  // A test that waits for the end of its program leaves nothing behind.
  /import \{(?! (?:execFileSync|spawnSync)(?:, spawnSync)? \} from)[^}]*\} from "node:child_process"/,
  /from ".*(?:child|spawn|redis|inbox-server|open-surface)\.ts"/,
]);

// For the processes of the tests, and those that they start from the sources: compiling these is half of their work.
process.env["NODE_COMPILE_CACHE"] ??= `${root}dist/cache/compiled`;

/** Tests with a browser, which the files of a process share: it takes longer to start than most of them run. */
const inBrowser = files.filter((path) => path.startsWith("test/e2e/browser/"));

const programs: string[] = [];
const shared: string[] = [];
for (const path of files) {
  const startsOne = ofPrograms.test(path) && !inBrowser.includes(path);
  if (!startsOne && !inProcess.test(path)) continue;
  const text = readFileSync(`${root}${path}`, "utf8");
  if (processWide.test(text)) continue;
  (startsOne || startsPrograms.test(text) ? programs : shared).push(path);
}

export default defineConfig({
  root,
  test: {
    globalSetup: ["test/setup.ts"],
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
      {
        extends: true,
        test: {
          name: "own process",
          include,
          exclude: ["**/node_modules/**", ...inBrowser, ...programs, ...shared],
        },
      },
      // Clients of programs wait, and leave the memory of their process as it was.
      { extends: true, test: { name: "shared by clients", include: programs, isolate: false } },
      { extends: true, test: { name: "shared browser", include: inBrowser, isolate: false } },
      { extends: true, test: { name: "shared process", include: shared, isolate: false } },
    ],
    reporters: ["default", "json", "./test/run-reporter.ts"],
    outputFile: { json: "dist/test-results.json" },
  },
});

function joined(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "m");
}

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
