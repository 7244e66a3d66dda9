import { join, relative } from "node:path";
import { type FileToCheck, toUnread } from "../../../checks/check-files.ts";
import type { ChecksEntry, ChecksFile } from "../../../checks/checks-file.ts";
import { createLeftOutCount } from "../../../checks/left-out.ts";
import { type OpenedChecks, openChecks } from "../../../checks/open-checks.ts";
import { createFilters } from "../../../checks/path-filter.ts";
import { planChecks } from "../../../checks/plan.ts";
import { type FileRequest, selectFiles } from "../../../checks/select-files.ts";
import type { CheckedFile } from "../../../checks/verdict.ts";
import { showFileName } from "../../../lib/file-name.ts";
import { defineLeaf } from "../command.ts";
import type { LoadedSettings } from "../../../config.ts";
import type { Host } from "../host.ts";
import { type Installation, openInstallation } from "../installation.ts";
import { toJson } from "../json.ts";
import { loadSettings } from "../load-settings.ts";
import { refuseData } from "../run-line.ts";
import { unknownName, usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { writeWarning } from "../write-warning.ts";
import { attachVersions, type CommitVersions, findRemoved, openVersions } from "./against.ts";
import { fromGit } from "./from-git.ts";
import { fixArgs, type FixLine, openFixMode, refuseFix } from "./fix-mode.ts";
import {
  readReportOptions,
  repeatableReportOptions,
  reportArgs,
  type ReportLine,
  type ReportOptions,
  valuesOf,
  withListedBaseline,
} from "./report-options.ts";
import { runChecks } from "./run-checks.ts";
import { readSelection, selectionArgs, type SelectionLine } from "./selection.ts";
import { refuseWatch, type Round, watchArgs, watchChecks } from "./watch.ts";

/** `penknife check` without a tool: the checks of the file `penknife.checks.yaml`. */
export const repositoryCommand = defineLeaf({
  description: "Run the checks of penknife.checks.yaml.",
  args: {
    files: {
      type: "positional",
      required: false,
      description:
        "Check these files only, even if Git ignores them; quoted patterns such as 'src/**/*.json'",
    },
    checks: {
      type: "string",
      valueHint: "FILE",
      description:
        "The list of checks (default penknife.checks.yaml, here or in a folder above, up to the repository)",
    },
    all: {
      type: "boolean",
      description: "Without a list: run every validator and linter on the files that it fits",
    },
    only: { type: "string", valueHint: "TOOL", description: "Run the checks of this tool only; repeatable" },
    ...selectionArgs,
    schema: { type: "boolean", description: "Print the JSON Schema of penknife.checks.yaml" },
    list: { type: "boolean", description: "List the files and their checks, and check nothing" },
    ...watchArgs,
    ...fixArgs,
    ...reportArgs,
  },
  many: true,
  repeatable: ["only", ...repeatableReportOptions],
  refused: refuseData("check"),
  async run(args, host, raw) {
    const line = args as Line;
    refuseWatch({ ...line });
    const only = valuesOf("only", raw);
    if (line.all === true && line.checks !== undefined)
      throw usageError("--all needs no list of checks. Leave out --checks or --all.");
    const report = await readReportOptions(line, raw, host, true);
    if (line.watch !== true) return checkRepository(line, only, report, host);
    return watchChecks((round) => checkRepository(line, only, report, host, round), host);
  },
});

interface Line extends FixLine, ReportLine, SelectionLine {
  watch?: boolean;
  config?: string;
  all?: boolean;
  checks?: string;
  schema?: boolean;
  list?: boolean;
}

/** @param round Takes the place of the run, if this is one of several. */
async function checkRepository(
  line: Line,
  only: readonly string[],
  report: ReportOptions,
  host: Host,
  round?: Round,
): Promise<number> {
  refuseFix(line, report);
  const request = await readSelection(line, host);
  const installation = await openInstallation(host);
  if (line.schema === true) return printSchema(installation, host);
  const settings = await loadSettings(line, host, installation);
  const opened = await openChecks(line.checks, {
    catalog: installation.catalog,
    disabled: settings.config.tools.disabled,
    files: host.files,
    env: host.env,
    from: report.checksFrom,
    ...(line.all === true && { all: { warn: async (message) => writeWarning(message, host) } }),
  }).catch(fromGit);
  try {
    const given = { line, only, request, installation, settings, host, round };
    return await checkOpened(opened, {
      ...given,
      report: await withListedBaseline(report, opened.baseline, host),
    });
  } finally {
    opened.from?.close();
  }
}

interface Request {
  line: Line;
  only: readonly string[];
  request: FileRequest;
  report: ReportOptions;
  installation: Installation;
  settings: LoadedSettings;
  host: Host;
  round: Round | undefined;
}

async function checkOpened(opened: OpenedChecks, given: Request): Promise<number> {
  const { file, repository } = opened;
  const { line, only, host } = given;
  const versions = await openVersions(line.against, repository, host).catch(fromGit);
  try {
    const entries = attachVersions(chooseEntries(file, only), versions).map((entry) =>
      line["include-ignored"] === true ? { ...entry, includeIgnored: true } : entry,
    );
    return await checkEntries(entries, versions, opened, given);
  } finally {
    versions?.close();
  }
}

async function checkEntries(
  entries: readonly ChecksEntry[],
  versions: CommitVersions | undefined,
  { file, sources, folder, repository, from }: OpenedChecks,
  { line, request, report, installation, settings, host, round }: Request,
): Promise<number> {
  const { files } = host;
  const leftOut = createLeftOutCount();
  const warn = async (message: string) =>
    round === undefined ? writeWarning(message, host) : round.warn(message);
  const enterIgnored = entries.some(({ includeIgnored }) => includeIgnored);
  let selecting: ReturnType<typeof createFilters> | undefined;
  const concerns = (path: string) =>
    !file.excludes(path) &&
    (selecting ??= createFilters(entries.map(({ patterns }) => patterns)))(path).length > 0;
  const deps = { folder, repository, enterIgnored, files, leftOut, warn, concerns };
  const { source, unread, all, named } = await selectFiles(request, deps).catch(fromGit);
  try {
    const toName = (path: string) => relative(files.cwd, join(folder, path));
    const plan = planChecks({ file, entries, source, toName, leftOut, named });
    if (line.list === true) return await printList(plan.files, line.json === true, host);
    const idle = all ? plan.idle : [];
    const idleTexts = toIdleTexts(idle, file);
    const missing: CheckedFile[] = [];
    for (const [at, { required, patterns, tool }] of idle.entries()) {
      const text = idleTexts[at] as string;
      if (required) missing.push(toUnread(toShown(patterns), text, "no-match", { tool }));
      else await warn(text);
    }
    const removed =
      versions && !named && request.words.length === 0
        ? findRemoved(entries, versions, { file, folder, files, toName })
        : [];
    const fixMode = await openFixMode(line, host, line.staged === true ? repository : undefined);
    const run = {
      files: plan.files,
      unread: [...missing, ...unread, ...removed],
      leftOut: leftOut.all,
      report,
      lines: line.lines,
      fixMode,
      installation,
      settings,
      host,
      from,
      against: versions?.revision,
    };
    if (round === undefined) return await runChecks(run);
    return await round.check(run, { folder, paths: source.paths, sources });
  } catch (error) {
    fromGit(error);
  } finally {
    source.close();
  }
}

async function printSchema({ catalog }: Installation, { stdout }: Host): Promise<number> {
  const { createChecksSchema } = await import("../../../checks/checks-schema.ts");
  await stdout.write(toJson(createChecksSchema(await catalog.all())));
  return 0;
}

/** @throws ToolError for a tool that the file does not have. */
function chooseEntries({ entries }: ChecksFile, only: readonly string[]): readonly ChecksEntry[] {
  const slugs = [...new Set(entries.map(({ tool }) => tool.slug))];
  for (const slug of only)
    if (!slugs.includes(slug)) throw unknownName("check", slug, slugs, "penknife check --list");
  return only.length === 0 ? entries : entries.filter(({ tool }) => only.includes(tool.slug));
}

function toIdleTexts(entries: readonly ChecksEntry[], file: ChecksFile): string[] {
  if (entries.length === 0) return [];
  const places = file.locate(entries.map(({ pointer }) => `${pointer}/files`));
  return entries.map(
    ({ patterns, tool }, at) =>
      `${places[at]}: No file matches ${toShown(patterns)}, so ${tool.slug} checks nothing.`,
  );
}

const toShown = ({ files }: ChecksEntry["patterns"]): string => files.join(", ");

/** Each file with the tools that check it. */
async function printList(files: readonly FileToCheck[], json: boolean, { stdout }: Host): Promise<number> {
  const items = files.map(({ name, checks }) => ({ file: name, tools: checks.map(({ tool }) => tool.slug) }));
  const text = items.map(({ file, tools }) => `${visible(showFileName(file))}: ${tools.join(", ")}\n`);
  await stdout.write(json ? toJson({ items }) : text.join(""));
  return 0;
}
