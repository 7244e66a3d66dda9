import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Results } from "./results.ts";

const root = new URL("../..", import.meta.url).pathname;

/** Seconds of each file of test/long: as `make test-long` recorded them, estimates until then. */
const durations = "test/long/durations.json";
/** The assumed time of a file without a record. */
const usualSeconds = 60;

/** Slices of test/long. Each commit runs one of them, which its hash selects; together they are all of it. */
export const slices = 12;

/**
 * Returns the files of test/long in a slice such as `3/12`, or all of them. Each file is in one slice, and the slices take about the
 * same time.
 * @throws Error for a text that is no slice.
 */
export function sliceOf(
  slice: string | undefined,
  files: readonly string[] = listLong(),
  seconds: Readonly<Record<string, number>> = readDurations(),
): string[] {
  if (slice === undefined || slice === "") return [...files];
  const [, index = 0, count = 0] = (/^([1-9]\d?)\/([1-9]\d?)$/.exec(slice) ?? []).map(Number);
  if (index < 1 || index > count)
    throw new Error(`A slice is a number and a count such as 3/12, got ${slice}.`);
  const costOf = (file: string): number => seconds[file] ?? usualSeconds;
  const parts = Array.from({ length: count }, () => ({ files: [] as string[], cost: 0 }));
  // The costliest first, each into the part that costs the least so far.
  for (const file of files.toSorted((a, b) => costOf(b) - costOf(a) || (a < b ? -1 : 1))) {
    const cheapest = parts.reduce((least, part) => (part.cost < least.cost ? part : least));
    cheapest.files.push(file);
    cheapest.cost += costOf(file);
  }
  return (parts[index - 1]?.files ?? []).toSorted();
}

/** Returns the slice of a commit, from the beginning of its hash. */
export const sliceOfCommit = (hash: string): string =>
  `${(Number.parseInt(hash.slice(0, 12), 16) % slices) + 1}/${slices}`;

const listLong = (): string[] =>
  globSync("test/long/**/*.test.ts", { cwd: root, exclude: ["**/node_modules/**"] }).toSorted();

function readDurations(): Record<string, number> {
  return JSON.parse(readFileSync(`${root}${durations}`, "utf8")) as Record<string, number>;
}

/** Merges the times of a run of test/long into the record; `make test-long` does it after a run of all files. */
function record(results: string): void {
  const { testResults } = JSON.parse(readFileSync(results, "utf8")) as Results;
  const measured = testResults.map(({ name, startTime, endTime }) => [
    relative(root, name),
    Math.max(1, Math.round((endTime - startTime) / 1000)),
  ]);
  const files = new Set(listLong());
  const known = { ...readDurations(), ...(Object.fromEntries(measured) as Record<string, number>) };
  const sorted = Object.entries(known)
    .filter(([file]) => files.has(file))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(`${root}${durations}`, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

// Without an argument it prints the slice of the commit, with the results of a run it records their times.
if (import.meta.main) {
  const [results] = process.argv.slice(2);
  if (results !== undefined) {
    if (existsSync(results)) record(results);
  } else {
    const options = { cwd: root, encoding: "utf8", stdio: "pipe" } as const;
    process.stdout.write(`${sliceOfCommit(execFileSync("git", ["rev-parse", "HEAD"], options))}\n`);
  }
}
