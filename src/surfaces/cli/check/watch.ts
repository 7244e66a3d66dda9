import { dirname, join, resolve } from "node:path";
import type { FileToCheck } from "../../../checks/check-files.ts";
import type { OpenedChecks } from "../../../checks/open-checks.ts";
import { fingerprintOf, watchFolders } from "../../../checks/watch-folders.ts";
import type { Host } from "../host.ts";
import type { LocalRunner } from "../local-runner.ts";
import { reportError } from "../report-error.ts";
import { usageError } from "../usage-error.ts";
import { writeWarning } from "../write-warning.ts";
import { type ChecksRun, openLocalRunner, runChecks } from "./run-checks.ts";
import { type Changed, createAlarm, signals } from "./watch-alarm.ts";
import { createWatchMemory } from "./watch-memory.ts";

export const watchArgs = {
  watch: { type: "boolean", description: "Check again whenever a file changes, until Ctrl-C" },
} as const;

/** One look at the repository: its files and checks, as they are now. */
export interface Round {
  warn(message: string): void;
  /** Checks what has changed since the round before. */
  check(run: ChecksRun, tree: Tree): Promise<number>;
}

export interface Tree extends Pick<OpenedChecks, "folder" | "sources"> {
  /** All files in the folder, relative to it. */
  paths: readonly string[];
}

/** Milliseconds after which a round starts by itself: some file systems report no changes, and queues of events overflow. */
const patienceMs = 5000;
/** Milliseconds from the report on saved files to the round that finds what else they change. */
const settleMs = 100;

/** @throws ToolError if another option of the line has no meaning for files that are saved. */
export function refuseWatch(line: Readonly<Record<string, unknown>>): void {
  if (line["watch"] !== true) return;
  const given = [
    "fix",
    "diff",
    "list",
    "staged",
    "changed",
    "since",
    "files-from",
    "checks-from",
    "against",
    "write-baseline",
  ].find((name) => Boolean(line[name]));
  if (given !== undefined)
    throw usageError(`--watch checks files when they are saved. Leave out --${given} or --watch.`);
}

/**
 * Checks, and checks again whenever a file changes. Each round lists the files and reads the list of checks again, checks
 * the files that differ, and reports on all. In a large repository that takes longer than a person waits, so files of the last
 * list that are saved are checked first, and the round follows.
 * @param plan Makes one round; it throws for a mistake in the list of checks, which may be gone in the next round.
 * @returns 128 and the number of the signal that ended it, as a shell reports it; a process ends by the signal before.
 * @throws ToolError in the first round.
 */
export async function watchChecks(plan: (round: Round) => Promise<number>, host: Host): Promise<number> {
  const alarm = createAlarm(host);
  const memory = createWatchMemory(host);
  const folders = watchFolders({
    onChange: alarm.ring,
    onLimit: () =>
      void writeWarning(
        `The system allows no more watches (fs.inotify.max_user_watches): some changes are found after ${patienceMs / 1000} seconds.`,
        host,
      ),
  });
  let runner: { of: string; runner: LocalRunner } | undefined;
  let last: Listed | undefined;
  let shown = "";

  /** The runner stays, with its workers, until the configuration changes. */
  async function runnerOf(run: ChecksRun): Promise<LocalRunner> {
    const of = JSON.stringify([run.settings.config.tools, run.installation.config]);
    if (runner?.of !== of) {
      await runner?.runner.close();
      runner = { of, runner: openLocalRunner(run, host.processors) };
    }
    return runner.runner;
  }

  async function report({ run, warnings }: Listed): Promise<number> {
    await clear(host);
    for (const message of warnings) await writeWarning(message, host);
    return runChecks({ ...run, memory, runner: await runnerOf(run) });
  }

  async function once(first: boolean): Promise<void> {
    const warnings: string[] = [];
    const round: Round = {
      warn: (message) => void warnings.push(message),
      async check(run, { folder, paths, sources }) {
        // The next list includes files that were created in a folder before it was watched.
        if (folders.set(foldersOf(folder, paths))) alarm.ring();
        last = { run, warnings, files: independent(run.files, sources, host) };
        const unread = run.unread.map(({ name, errors }) => [name, errors]);
        const { baseline } = run.report;
        const known = baseline === undefined ? "" : fingerprintOf(resolve(host.files.cwd, baseline));
        const now = JSON.stringify([warnings, unread, known]);
        if (!memory.update(run.files) && now === shown) return 0;
        shown = now;
        return report(last);
      },
    };
    try {
      await plan(round);
    } catch (error) {
      if (first) throw error;
      last = undefined;
      // The list of checks may be what is being written.
      if (shown === String(error)) return;
      shown = String(error);
      await clear(host);
      await reportError(error, host);
    }
  }

  /** Reports again if all that changed is the content of listed files. Returns whether it is. */
  async function recheck(changed: Changed): Promise<boolean> {
    const saved = last && savedOf(changed, last);
    if (last === undefined || saved === undefined) return false;
    if (!memory.updateSome(saved)) return true;
    try {
      await report(last);
      return true;
    } catch {
      // Nothing was reported to the end, so the round reports whatever it finds.
      shown = "";
      return false;
    }
  }

  try {
    await once(true);
    for (let due = host.runtime.monotonic() + patienceMs; ;) {
      const changed = await alarm.next(Math.max(0, due - host.runtime.monotonic()));
      if (alarm.stopped !== undefined) return 128 + signals[alarm.stopped];
      // Files that never stop changing must not put off the round.
      if (host.runtime.monotonic() < due && (await recheck(changed)))
        due = Math.min(due, host.runtime.monotonic() + settleMs);
      else {
        await once(false);
        due = host.runtime.monotonic() + patienceMs;
      }
    }
  } finally {
    alarm.close();
    folders.close();
    await runner?.runner.close();
  }
}

/** The last round that found no mistake in the list of checks. */
interface Listed {
  run: ChecksRun;
  warnings: readonly string[];
  /** The files on which no other depends, by their absolute paths. */
  files: ReadonlyMap<string, FileToCheck>;
}

function independent(
  files: readonly FileToCheck[],
  sources: ReadonlySet<string>,
  { files: { cwd } }: Host,
): ReadonlyMap<string, FileToCheck> {
  const found = new Map(files.map((file) => [resolve(cwd, file.name), file]));
  for (const path of sources) found.delete(path);
  return found;
}

/** The files that were saved; undefined if one of them is gone, or something else is there. */
function savedOf(changed: Changed, { files }: Listed): readonly FileToCheck[] | undefined {
  if (changed === "all") return undefined;
  const saved: FileToCheck[] = [];
  for (const path of changed) {
    const file = files.get(path);
    // An editor writes a file beside the one it replaces, and removes it.
    const there = fingerprintOf(path) !== "";
    if (there !== (file !== undefined)) return undefined;
    if (file !== undefined) saved.push(file);
  }
  return saved;
}

/** The folder, and all folders in it that contain files. */
function foldersOf(root: string, paths: readonly string[]): Set<string> {
  const inner = new Set<string>();
  for (const path of paths)
    for (let one = dirname(path); one !== "." && !inner.has(one); one = dirname(one)) inner.add(one);
  return new Set([root, ...[...inner].map((one) => join(root, one))]);
}

async function clear({ stdout }: Host): Promise<void> {
  if (stdout.isTTY) await stdout.write("\u001b[2J\u001b[3J\u001b[H");
}
