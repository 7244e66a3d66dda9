import { resolve } from "node:path";
import { checkFiles, type FileToCheck, type VerdictMemory } from "../../../checks/check-files.ts";
import { createAddedTest } from "../../../checks/added-comments.ts";
import { applyIgnores, mayIgnore } from "../../../checks/apply-ignores.ts";
import { createLineFilter } from "../../../checks/changed-lines.ts";
import type { CommitFiles } from "../../../checks/commit-files.ts";
import { addContext } from "../../../checks/finding-context.ts";
import { createLeftOutCount, type LeftOut } from "../../../checks/left-out.ts";
import { createSettingsReader } from "../../../checks/settings-above.ts";
import type { CheckedFile } from "../../../checks/verdict.ts";
import type { LoadedSettings } from "../../../config.ts";
import type { Host } from "../host.ts";
import type { Installation } from "../installation.ts";
import { createLocalRunner, type LocalRunner } from "../local-runner.ts";
import { createProgress, type Progress } from "../progress.ts";
import { isBrokenPipe } from "../report-error.ts";
import { createStyle } from "../style.ts";
import { visibleLines } from "../visible.ts";
import type { FixMode } from "./fix-mode.ts";
import { createDiffReporter } from "./formats/diff.ts";
import { toReportPath, type Reporter, type ReporterDeps } from "./formats/reporter.ts";
import { createSourceRoot } from "./formats/source-root.ts";
import { openBaseline, toStaleLines } from "./open-baseline.ts";
import type { ReportOptions } from "./report-options.ts";
import { createTally } from "./tally.ts";
import { writeFile } from "../write-file.ts";
import { createReporter } from "./formats/format.ts";

export interface ChecksRun {
  files: readonly FileToCheck[];
  /** Verdicts that stand before any check, such as names without a file. */
  unread: readonly CheckedFile[];
  /** Returns what was left out, when all files have been read. */
  leftOut(): readonly LeftOut[] | Promise<readonly LeftOut[]>;
  report: ReportOptions;
  /** Whether only findings on changed lines are reported. */
  lines?: boolean | undefined;
  fixMode?: FixMode | undefined;
  installation: Installation;
  settings: LoadedSettings;
  host: Host;
  memory?: VerdictMemory;
  /** The commit whose baseline and ignore comments count, instead of those of the work tree. */
  from?: CommitFiles | undefined;
  /** The commit that files are compared with. */
  against?: string | undefined;
  /** Stays open; without it, the run opens one and closes it. */
  runner?: LocalRunner;
}

/** Documents above this many bytes are checked in workers, in parallel. */
const largeDocument = 1_048_576;

/** Checks files and reports the verdicts. Returns the exit status. @throws ToolError if an option is invalid. */
export async function runChecks(run: ChecksRun): Promise<number> {
  const { report, fixMode, installation, memory, host } = run;
  const files = withoutBaseline(run);
  const workers = Math.max(1, Math.min(host.processors, files.length));
  const runner = run.runner ?? openLocalRunner(run, workers);
  // A document typed on the terminal leaves no room for a progress line.
  const typed = host.stdin.isTTY && files.some(({ name }) => name === "-");
  const progress = createProgress(host, typed ? 0 : files.length);
  const print = createPrinter(host, progress);
  const { version } = await host.program.build();
  const several = new Set(files.flatMap(({ checks }) => checks.map(({ tool }) => tool))).size > 1;
  const deps = { version, host, several, print };
  const printNote = (text: string) => host.stderr.write(text).catch(ignoreBrokenPipe);
  const reports = createReports(
    report,
    deps,
    fixMode?.kind === "diff" ? createDiffReporter(deps, printNote) : undefined,
  );
  const root = createSourceRoot(host);
  const toPath = (name: string) => toReportPath(root, name);
  const baseline = await openBaseline(report, root, host, run.from);
  const lineFilter = run.lines === true ? createLineFilter() : undefined;
  const tally = createTally(report.maxWarnings);
  const binary = createLeftOutCount();
  const add = async (verdict: CheckedFile) => {
    const file = baseline?.apply(verdict, toPath(verdict.name)) ?? verdict;
    tally.add(file);
    if (file.unread === true) await reportUnread(file, host, progress);
    await reports.add(file);
  };
  try {
    for (const one of run.unread) await add(addContext(one, toPath(one.name)));
    const running = { run: runner.run, readSettings: createSettingsReader(host.files, run.from) };
    const checked = checkFiles({
      files,
      width: workers * 2,
      ...running,
      ...(lineFilter && { hooks: lineFilter.hooks }),
      ...(fixMode && { hooks: fixMode.hooks(running) }),
      async finish(file, verdicts, bytes) {
        const { name } = file;
        const added = run.from && (await findAdded(name, bytes, run.from, host));
        const left = applyIgnores(verdicts, bytes, installation.catalog.has, added);
        const described = left.map((one) => addContext(one, toPath(name), bytes));
        return (await lineFilter?.keep(file, described, bytes)) ?? described;
      },
      memory,
      onBinary: (name) => binary.add("binary", name),
      onFile: progress.advance,
    });
    for await (const file of checked)
      await add(file.unread === true ? addContext(file, toPath(file.name)) : file);
    await fixMode?.finish();
  } finally {
    progress.end();
    if (run.runner === undefined) await runner.close();
  }
  const status = tally.status();
  const leftOut = [...(await run.leftOut()), ...binary.all()];
  const summary = tally.sum(leftOut);
  const stale = await baseline?.end();
  // With JSON, standard error stays empty.
  if (report.format !== "json") {
    const lines = [...toStaleLines(stale ?? []), summary];
    await host.stderr.write(`${lines.join("\n")}\n`).catch(ignoreBrokenPipe);
  }
  const { against } = run;
  await reports.end({
    status,
    leftOut,
    summary,
    ...(stale && { stale }),
    ...(against !== undefined && { against }),
  });
  return status;
}

/** A file of known findings is no document of its own. */
function withoutBaseline({ files, report: { baseline }, host }: ChecksRun): readonly FileToCheck[] {
  if (baseline === undefined) return files;
  const { cwd } = host.files;
  const path = resolve(cwd, baseline);
  return files.filter(({ name }) => resolve(cwd, name) !== path);
}

/** Finds which ignore comments a commit does not have. Nearly no document has one. */
async function findAdded(name: string, bytes: Uint8Array, from: CommitFiles, { files }: Host) {
  const document = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!mayIgnore(document)) return undefined;
  const before = await from.readBefore(resolve(files.cwd, name));
  return { since: from.revision, test: createAddedTest(name, document.toString(), before) };
}

/** @param workers Most workers. */
export function openLocalRunner(
  { installation, settings, host }: Pick<ChecksRun, "installation" | "settings" | "host">,
  workers: number,
): LocalRunner {
  const { catalog } = installation;
  return createLocalRunner(host, { catalog, settings, workers, inlineBytes: largeDocument });
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

/**
 * Makes the reports of one check: one on standard output, and one for each file of `--output`. Files are written at the end, whatever
 * the findings; a check that ends with an error of its own writes none, because a part of a report looks like a clean one.
 * @param printed What standard output says instead of a format.
 */
function createReports(
  { format, outputs }: Pick<ReportOptions, "format" | "outputs">,
  deps: Omit<ReporterDeps, "isTTY">,
  printed = createReporter(format, { ...deps, isTTY: deps.host.stdout.isTTY }),
): Reporter {
  const written = outputs.map((output) => {
    const pieces: string[] = [];
    const collect = async (text: string) => void pieces.push(text);
    const reporter = createReporter(output.format, { ...deps, isTTY: false, print: collect });
    return { path: output.path, pieces, reporter };
  });
  const all = [printed, ...written.map(({ reporter }) => reporter)];
  return {
    async add(file) {
      for (const reporter of all) await reporter.add(file);
    },
    async end(outcome) {
      for (const reporter of all) await reporter.end(outcome);
      for (const { path, pieces } of written) await writeFile({ path, content: pieces }, deps.host);
    },
  };
}
