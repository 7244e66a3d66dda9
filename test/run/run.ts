import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { mergeResults, type Results } from "./results.ts";

// The runner of `make test`: runs vitest, and each test file that failed once more, alone. A file that passes then is flaky: it is
// printed with its first output and does not fail the run, unless it is the third one. Arguments are those of vitest;
// `--outputFile.json=PATH` is required, and the results in that file are those of the last run of each file.
const maxFlaky = 2;
/** Files that are run again; where more fail, the program is broken, and running them takes too long. */
const maxAgain = 10;

const option = "--outputFile.json=";
const output = process.argv.find((arg) => arg.startsWith(option))?.slice(option.length);
const args = process.argv.slice(2).filter((arg) => !arg.startsWith(option));
if (output === undefined) throw new Error(`usage: run.ts ${option}PATH [OPTION OF VITEST]...`);
const folder = mkdtempSync(join(tmpdir(), "penknife-tests-"));
const busyBefore = machineSeconds();
try {
  process.exitCode = await run(output);
  printCpuSeconds();
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Prints the CPU time of this process and of all that it started and waited for, and that of the machine meanwhile, where the system tells.
 * Nobody waits for most processes of Chromium: on a quiet machine, the difference is theirs.
 */
function printCpuSeconds(): void {
  if (!existsSync("/proc/self/stat")) return;
  // The fields behind the name of the program, which may contain spaces; utime, stime, cutime and cstime are 14 to 17, in hundredths.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const hundredths = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  const machine = machineSeconds() - busyBefore;
  print(
    `\nCPU seconds of these tests: ${Math.round(hundredths / 100)}; of the machine meanwhile: ${Math.round(machine)}\n`,
  );
}

/** Returns the seconds that all processors of the machine have worked since it started; 0 where the system does not tell. */
function machineSeconds(): number {
  if (!existsSync("/proc/stat")) return 0;
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = readFileSync("/proc/stat", "utf8")
    .split("\n", 1)
    .flatMap((line) => line.split(/ +/).map(Number));
  return (user + nice + system + irq + softIrq) / 100;
}

async function run(file: string): Promise<number> {
  rmSync(file, { force: true });
  const first = await vitest(file);
  if (first.status === 0 || !existsSync(file)) return first.status;
  const results = readResults(file);
  const failed = results.testResults.filter(({ status }) => status === "failed");
  // An error outside of every test belongs to no file, so that no file can be run again for it.
  if (failed.length === 0 || first.unhandled > 0) return first.status;
  if (failed.length > maxAgain) {
    print(
      `\n${failed.length} test files failed. None is run again, because they are more than ${maxAgain}.\n`,
    );
    return first.status;
  }
  const again: Results[] = [];
  for (const { name } of failed) {
    const path = relative(process.cwd(), name);
    print(`\nRunning ${path} again, alone.\n`);
    const alone = join(folder, "again.json");
    rmSync(alone, { force: true });
    const { status } = await vitest(alone, path);
    const found = existsSync(alone) ? readResults(alone) : undefined;
    if (found !== undefined && (status === 0) === found.success) again.push(found);
  }
  const merged = mergeResults(results, again);
  writeFileSync(file, JSON.stringify(merged));
  for (const { name, message, assertionResults } of failed.filter((one) => merged.flaky.includes(one.name))) {
    print(
      `\nFlaky: ${relative(process.cwd(), name)} failed, and passed when it ran alone. It had failed with:\n`,
    );
    for (const text of [message, ...assertionResults.flatMap(describeFailure)])
      if (text !== "") print(`${text.replace(/^/gm, "  ")}\n`);
  }
  if (!merged.success) return first.status;
  if (merged.flaky.length <= maxFlaky) return 0;
  print(`\n${merged.flaky.length} test files are flaky, which is more than ${maxFlaky}: the run fails.\n`);
  return first.status;
}

type Test = Results["testResults"][number]["assertionResults"][number];

function describeFailure({ fullName, failureMessages }: Test): string[] {
  return failureMessages.map((text) => `${fullName.trim()}\n${text}`);
}

/** Runs vitest, which writes its results into `file`. `unhandled` is the number of errors outside of tests, which `reporter.ts` counts. */
async function vitest(file: string, ...paths: string[]): Promise<{ status: number; unhandled: number }> {
  const errors = join(folder, "unhandled");
  const child = spawn("vitest", ["run", ...args, `${option}${file}`, ...paths], {
    stdio: "inherit",
    env: { ...process.env, TEST_UNHANDLED: errors },
  });
  const [code] = (await once(child, "close")) as [number | null];
  const unhandled = existsSync(errors) ? Number(readFileSync(errors, "utf8")) : 0;
  rmSync(errors, { force: true });
  return { status: code ?? 1, unhandled };
}

function readResults(file: string): Results {
  return JSON.parse(readFileSync(file, "utf8")) as Results;
}

function print(text: string): void {
  process.stdout.write(text);
}
