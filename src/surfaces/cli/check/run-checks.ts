import { checkFiles, type FileToCheck } from "../../../checks/check-files.ts";
import type { LeftOut } from "../../../checks/left-out.ts";
import type { CheckedFile } from "../../../checks/verdict.ts";
import type { Host, LoadedSettings } from "../host.ts";
import type { Installation } from "../installation.ts";
import { createLocalRunner } from "../local-runner.ts";
import { createProgress, type Progress } from "../progress.ts";
import { isBrokenPipe } from "../report-error.ts";
import { createStyle } from "../style.ts";
import { visibleLines } from "../visible.ts";
import type { FixMode } from "./fix-mode.ts";
import { createDiffReporter } from "./formats/diff.ts";
import { createReporter, type Format } from "./formats/format.ts";
import { createTally } from "./tally.ts";

export interface ChecksRun {
  files: readonly FileToCheck[];
  /** Verdicts that stand before any check, such as names without a file. */
  unread: readonly CheckedFile[];
  /** Returns what was left out, when all files have been read. */
  leftOut(): readonly LeftOut[] | Promise<readonly LeftOut[]>;
  format: Format;
  fixMode?: FixMode | undefined;
  installation: Installation;
  settings: LoadedSettings;
  host: Host;
}

/** Documents above this many bytes are checked in workers, in parallel. */
const largeDocument = 1_048_576;

/** Checks files and reports the verdicts. Returns the exit status. @throws ToolError if an option is invalid. */
export async function runChecks(run: ChecksRun): Promise<number> {
  const { files, format, fixMode, installation, settings, host } = run;
  const workers = Math.max(1, Math.min(host.processors, files.length));
  const { catalog } = installation;
  const runner = createLocalRunner(host, { catalog, settings, workers, inlineBytes: largeDocument });
  // A document typed on the terminal leaves no room for a progress line.
  const typed = host.stdin.isTTY && files.some(({ name }) => name === "-");
  const progress = createProgress(host, typed ? 0 : files.length);
  const print = createPrinter(host, progress);
  const { version } = await host.program.build();
  const deps = { version, host, print };
  const printNote = (text: string) => host.stderr.write(text).catch(ignoreBrokenPipe);
  const reporter =
    fixMode?.kind === "diff" ? createDiffReporter(deps, printNote) : createReporter(format, deps);
  const tally = createTally();
  const add = async (file: CheckedFile) => {
    tally.add(file);
    if (file.unread === true) await reportUnread(file, host, progress);
    await reporter.add(file);
  };
  try {
    for (const one of run.unread) await add(one);
    const checked = checkFiles({
      files,
      width: workers * 2,
      run: runner.run,
      ...(fixMode && { hooks: fixMode.hooks(runner.run) }),
      onFile: progress.advance,
    });
    for await (const file of checked) await add(file);
    await fixMode?.finish();
  } finally {
    progress.end();
    await runner.close();
  }
  const status = tally.status();
  const leftOut = await run.leftOut();
  await reporter.end(status, leftOut);
  // With JSON, standard error stays empty.
  if (format !== "json") await host.stderr.write(tally.sum(leftOut)).catch(ignoreBrokenPipe);
  return status;
}

/** Reports an unreadable file on standard error. */
async function reportUnread(
  { errors }: CheckedFile,
  { stderr, env }: Host,
  progress: Progress,
): Promise<void> {
  const prefix = createStyle(stderr, env).red("penknife:");
  progress.clear();
  for (const { message } of errors)
    await stderr.write(`${prefix} ${visibleLines(message)}\n`).catch(ignoreBrokenPipe);
}

/** Ignores a closed pipe: `check … | head` must still set the exit status for its findings. */
function createPrinter({ stdout }: Host, progress: Progress): (text: string) => Promise<void> {
  let broken = false;
  return async (text) => {
    if (broken || text === "") return;
    progress.clear();
    try {
      await stdout.write(text);
    } catch (error) {
      ignoreBrokenPipe(error);
      broken = true;
    }
  };
}

function ignoreBrokenPipe(error: unknown): void {
  if (!isBrokenPipe(error)) throw error;
}
