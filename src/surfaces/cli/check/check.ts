import { resolve } from "node:path";
import type { CatalogTool } from "../../../catalog/catalog.ts";
import { describeError, ToolError } from "../../../catalog/errors.ts";
import type { Check } from "../../../checks/check-files.ts";
import { type CommitFiles, openCommitFiles } from "../../../checks/commit-files.ts";
import { openRepository } from "../../../checks/git/open-repository.ts";
import { toFlag } from "../../../lib/shell-words.ts";
import { type Command, defineGroup, defineLeaf } from "../command.ts";
import type { Host } from "../host.ts";
import { loadSettings } from "../load-settings.ts";
import { refuseDisabled } from "../local-runner.ts";
import { readOptions } from "../read-options.ts";
import { refuseData } from "../run-line.ts";
import { type Installation, toolCommands } from "../installation.ts";
import { fileTwins, repeatableOptions, toOptionError, toolArgs } from "../tool-options.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { openVersions, refuseAgainst } from "./against.ts";
import { chooseFiles, type ChosenFiles } from "./choose-files.ts";
import { fromGit } from "./from-git.ts";
import { fixArgs, type FixLine, openFixMode, refuseFix } from "./fix-mode.ts";
import {
  readReportOptions,
  repeatableReportOptions,
  reportArgs,
  type ReportLine,
  type ReportOptions,
  withoutReportOptions,
} from "./report-options.ts";
import { runChecks } from "./run-checks.ts";
import { readSelection, selectionArgs, type SelectionLine } from "./selection.ts";

export const checkCommand = defineGroup({
  description: "Check a repository, or files with one tool; exit status 1 if there are findings.",
  kind: "tool",
  refused: refuseData("check TOOL"),
  commands: async (host) => ({
    init: async () => (await import("./init.ts")).initCommand,
    ...(await toolCommands(host, toCommand)),
  }),
  otherwise: async () => (await import("./repository.ts")).repositoryCommand,
  examples: [
    "penknife check",
    "penknife check json-validator 'src/**/*.json'",
    "penknife check json-formatter --indent 4 package.json tsconfig.json",
    "penknife check json-validator --json - < a.json",
    "penknife check yaml-validator --format sarif 'config/*.yaml' > yaml.sarif",
  ],
});

function toCommand(tool: CatalogTool, installation: Installation): Command {
  return defineLeaf({
    description: tool.summary,
    category: tool.category,
    hidden: tool.check === undefined,
    args: {
      files: {
        type: "positional",
        required: false,
        description: "Files, or quoted patterns such as 'src/**/*.json'; - is standard input",
      },
      ...toolArgs(tool),
      ...selectionArgs,
      ...fixArgs,
      ...reportArgs,
    },
    many: true,
    repeatable: [...repeatableOptions(tool), ...repeatableReportOptions],
    twins: fileTwins(tool).map((pair) =>
      pair.text === "other" && tool.against !== undefined ? { ...pair, instead: "against" } : pair,
    ),
    refused: refuseData(`check ${tool.slug}`),
    async run(args, host, raw) {
      if (tool.check === undefined) {
        throw usageError(`${tool.slug} has no check mode: it neither validates nor formats a document.`);
      }
      const line = args as Line;
      const report = await readReportOptions(line, raw, host);
      refuseFix(line, report, tool);
      return checkWithTool(tool, { line, raw, report, installation, host });
    },
  });
}

interface Line extends FixLine, ReportLine, SelectionLine {
  config?: string;
}

interface Request {
  line: Line;
  raw: readonly string[];
  report: ReportOptions;
  installation: Installation;
  host: Host;
}

async function checkWithTool(
  tool: CatalogTool,
  { line, raw, report, installation, host }: Request,
): Promise<number> {
  const request = await readSelection(line, host);
  if (request.words.length === 0 && request.names === undefined && request.changes === undefined)
    throw usageError(`FILES is missing. Run penknife check ${tool.slug} --help for usage.`);
  refuseAgainst(tool, line.against);
  const settings = await loadSettings(line, host, installation);
  refuseDisabled(tool.slug, settings);
  const repository = await openRepository(host.files.cwd, host).catch(fromGit);
  const versions = await openVersions(line.against, repository, host).catch(fromGit);
  const { checksFrom } = report;
  let from: CommitFiles | undefined;
  let chosen: ChosenFiles | undefined;
  try {
    from = checksFrom === undefined ? undefined : await openCommitFiles(repository, checksFrom);
    // This command's --format is not the option of that name that a differ has for its result.
    const words = withoutReportOptions(raw);
    const { pairs } = await readOptions(tool, words, host, [], from && readFrom(from, host));
    const against = versions && { against: versions };
    const toOption = (error: ToolError): ToolError => toRefusal(tool, error);
    const checks: Check[] = [{ tool, options: pairs, ...against, toRefusal: toOption }];
    const includeIgnored = line["include-ignored"] === true;
    chosen = await chooseFiles(request, { checks, includeIgnored, repository, host });
    return await runChecks({
      files: chosen.files,
      unread: chosen.unread.map((one) => ({ ...one, tool })),
      leftOut: chosen.leftOut,
      report,
      lines: line.lines,
      fixMode: await openFixMode(line, host, line.staged === true ? repository : undefined),
      installation,
      settings,
      host,
      from,
      against: versions?.revision,
    });
  } catch (error) {
    return fromGit(error);
  } finally {
    chosen?.close();
    from?.close();
    versions?.close();
  }
}

/** Second documents of the repository are those of the commit; a change may have brought the ones of the work tree. */
function readFrom(from: CommitFiles, { files }: Host): (file: string) => Promise<string | undefined> {
  return async (file) => {
    const path = [resolve(files.cwd, file), files.realPath(file)].find(from.concerns);
    return path === undefined ? undefined : from.readText(path, visible(file));
  };
}

/** A fault in a second document, such as a schema, concerns an option and not the file. */
function toRefusal(tool: CatalogTool, error: ToolError): ToolError {
  const { message, details } = error;
  const [first] = details.errors ?? [];
  if (first?.field === undefined) return toOptionError(tool, error);
  const text = describeError(new ToolError("invalid_document", first.message, details));
  return usageError(`--${toFlag(first.field)}: ${text === "" ? message : text}`);
}
