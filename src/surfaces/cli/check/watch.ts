import { dirname, join, resolve } from "node:path";
import type { Check, FileToCheck, VerdictMemory } from "../../../checks/check-files.ts";
import type { CheckedFile } from "../../../checks/verdict.ts";
import { fingerprintOf, watchFolders } from "../../../checks/watch-folders.ts";
import type { Host } from "../host.ts";
import type { LocalRunner } from "../local-runner.ts";
import { reportError } from "../report-error.ts";
import { usageError } from "../usage-error.ts";
import { type ChecksRun, openRunner, runChecks, writeWarning } from "./run-checks.ts";

export const watchArgs = {
  watch: { type: "boolean", description: "Check again whenever a file changes, until Ctrl-C" },
} as const;

/** One look at the repository: its files and checks, as they are now. */
export interface Round {
  warn(message: string): void;
  /** Checks what has changed since the round before. @param tree The folder of the checks, and all files in it. */
  check(run: ChecksRun, tree: { folder: string; paths: readonly string[] }): Promise<number>;
}

/** Milliseconds without another change after which a round starts, and after which it starts anyway. */
const quietMs = 20;
const longestQuietMs = 500;
/** Milliseconds after which a round starts by itself: some file systems report no changes, and queues of events overflow. */
const patienceMs = 5000;

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** @throws ToolError if another option of the line has no meaning for files that are saved. */
export function refuseWatch(line: Readonly<Record<string, unknown>>): void {
  if (line["watch"] !== true) return;
  const given = ["fix", "diff", "list", "staged", "changed", "since", "files-from", "write-baseline"].find(
    (name) => Boolean(line[name]),
  );
  if (given !== undefined)
    throw usageError(`--watch checks files when they are saved. Leave out --${given} or --watch.`);
}

/**
 * Checks, and checks again whenever a file changes. Each round lists the files and reads the list of checks again, checks
 * the files that differ, and reports on all.
 * @param plan Makes one round; it throws for a mistake in the list of checks, which may be gone in the next round.
 * @returns 128 and the number of the signal that ended it, as a shell reports it; a process ends by the signal before.
 * @throws ToolError in the first round.
 */
export async function watchChecks(plan: (round: Round) => Promise<number>, host: Host): Promise<number> {
  const alarm = createAlarm(host);
  const memory = createMemory(host);
  const folders = watchFolders({
    onChange: alarm.ring,
    onLimit: () =>
      void writeWarning(
        `The system allows no more watches (fs.inotify.max_user_watches): some changes are found after ${patienceMs / 1000} seconds.`,
        host,
      ),
  });
  let runner: { of: string; runner: LocalRunner } | undefined;
  let shown = "";

  /** The runner stays, with its workers, until the configuration changes. */
  async function runnerOf(run: ChecksRun): Promise<LocalRunner> {
    const of = JSON.stringify([run.settings.config.tools, run.installation.configFile]);
    if (runner?.of !== of) {
      await runner?.runner.close();
      runner = { of, runner: openRunner(run, host.processors) };
    }
    return runner.runner;
  }

  async function once(first: boolean): Promise<void> {
    const warnings: string[] = [];
    const round: Round = {
      warn: (message) => void warnings.push(message),
      async check(run, { folder, paths }) {
        // The next list includes files that were created in a folder before it was watched.
        if (folders.set(foldersOf(folder, paths))) alarm.ring();
        const unread = run.unread.map(({ name, errors }) => [name, errors]);
        const now = JSON.stringify([warnings, unread]);
        if (!memory.update(run.files) && now === shown) return 0;
        shown = now;
        await clear(host);
        for (const message of warnings) await writeWarning(message, host);
        return runChecks({ ...run, memory, runner: await runnerOf(run) });
      },
    };
    try {
      await plan(round);
    } catch (error) {
      if (first) throw error;
      // The list of checks may be what is being written.
      if (shown === String(error)) return;
      shown = String(error);
      await clear(host);
      await reportError(error, host);
    }
  }

  try {
    for (let first = true; ; first = false) {
      await once(first);
      await alarm.next();
      if (alarm.stopped !== undefined) return 128 + signals[alarm.stopped];
    }
  } finally {
    alarm.close();
    folders.close();
    await runner?.runner.close();
  }
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

interface Memory extends VerdictMemory {
  /** Forgets other files, and what is no longer true of these. Returns whether anything differs from the call before. */
  update(files: readonly FileToCheck[]): boolean;
}

/** Keeps the verdicts of each file until the file or its checks change. */
function createMemory({ files: { cwd } }: Host): Memory {
  let keys = new Map<string, string>();
  const verdicts = new Map<string, readonly CheckedFile[]>();
  return {
    update(files) {
      const ofChecks = new Map<readonly Check[], string>();
      const now = new Map<string, string>();
      for (const { name, checks } of files) {
        const key = ofChecks.get(checks) ?? JSON.stringify(checks.map(toKey));
        ofChecks.set(checks, key);
        now.set(name, `${fingerprintOf(resolve(cwd, name))} ${key}`);
      }
      let differs = false;
      for (const name of new Set([...keys.keys(), ...now.keys()])) {
        if (keys.get(name) === now.get(name)) continue;
        differs = true;
        verdicts.delete(name);
      }
      keys = now;
      return differs;
    },
    get: ({ name }) => verdicts.get(name),
    set: ({ name }, given) => void verdicts.set(name, given),
  };
}

const toKey = ({ tool, options, severity }: Check): unknown[] => [
  tool.slug,
  tool.steps ?? tool.version,
  options,
  severity,
];

interface Alarm {
  /** The signal that ended the watch. */
  readonly stopped: keyof typeof signals | undefined;
  ring(): void;
  /** Resolves after a change that is followed by a short time without another, or when it is time for another look. */
  next(): Promise<void>;
  close(): void;
}

function createAlarm(host: Host): Alarm {
  let stopped: keyof typeof signals | undefined;
  let rung = 0;
  let wake = (): void => undefined;
  const sleep = (ms: number) =>
    new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  const releases = (Object.keys(signals) as (keyof typeof signals)[]).map((name) =>
    host.onSignal(name, () => {
      stopped = name;
      close();
      wake();
      // Nothing has to be finished: the signal ends the process as if there were no handler.
      host.raise(name);
    }),
  );
  const close = () => releases.forEach((release) => release());
  return {
    get stopped() {
      return stopped;
    },
    ring() {
      rung++;
      wake();
    },
    async next() {
      if (rung === 0 && stopped === undefined) await sleep(patienceMs);
      const first = host.monotonic();
      for (let seen = 0; seen !== rung && stopped === undefined;) {
        seen = rung;
        if (host.monotonic() - first > longestQuietMs) break;
        await sleep(quietMs);
      }
      rung = 0;
    },
    close,
  };
}
