import type { CatalogTool } from "../../../catalog/catalog.ts";
import { describeError, ToolError } from "../../../catalog/errors.ts";
import { type Check, type ReadFile, toUnread } from "../../../checks/check-files.ts";
import { limitOf } from "../../../checks/plan.ts";
import { type Command, defineGroup, defineLeaf } from "../command.ts";
import type { Host } from "../host.ts";
import { loadSettings } from "../load-settings.ts";
import { refuseDisabled } from "../local-runner.ts";
import { MachineError } from "../machine-error.ts";
import { readDocument } from "../read-document.ts";
import { readOptions } from "../read-options.ts";
import { refuseData } from "../run-line.ts";
import { type Installation, toolCommands } from "../installation.ts";
import { fileTwins, repeatableOptions, toFlag, toOptionError, toolArgs } from "../tool-options.ts";
import { usageError } from "../usage-error.ts";
import { expandPatterns } from "./expand-patterns.ts";
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

export const checkCommand = defineGroup({
  description: "Check a repository, or files with one tool; exit status 1 if there are findings.",
  kind: "tool",
  refused: refuseData("check TOOL"),
  commands: (host) => toolCommands(host, toCommand),
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
    hidden: tool.check === undefined,
    args: {
      files: {
        type: "positional",
        required: tool.check !== undefined,
        description: "Files, or quoted patterns such as 'src/**/*.json'; - is standard input",
      },
      ...toolArgs(tool),
      ...fixArgs,
      ...reportArgs,
    },
    many: true,
    repeatable: [...repeatableOptions(tool), ...repeatableReportOptions],
    twins: fileTwins(tool),
    refused: refuseData(`check ${tool.slug}`),
    async run(args, host, raw) {
      if (tool.check === undefined) {
        throw usageError(`${tool.slug} has no check mode: it neither validates nor formats a document.`);
      }
      const line = args as Line;
      const report = readReportOptions(line, raw, host);
      refuseFix(line, report, tool);
      // This command's --format is not the option of that name that a differ has for its result.
      const { pairs } = await readOptions(tool, withoutReportOptions(raw), host);
      return checkWithTool(tool, line, pairs, report, installation, host);
    },
  });
}

interface Line extends FixLine, ReportLine {
  config?: string;
}

async function checkWithTool(
  tool: CatalogTool,
  line: Line,
  options: [string, string][],
  report: ReportOptions,
  installation: Installation,
  host: Host,
): Promise<number> {
  const settings = await loadSettings(line, host, installation);
  refuseDisabled(tool.slug, settings);
  const { names, unread, leftOut } = await expandPatterns(line._, host);
  const check: Check = { tool, options, toRefusal: (error) => toRefusal(tool, error) };
  const checks = [check];
  return runChecks({
    files: names.map((name) => ({ name, checks, read: () => readNamed(name, checks, host) })),
    unread: unread.map(({ name, message, rule }) => toUnread(name, message, rule, { tool })),
    leftOut: () => leftOut,
    report,
    fixMode: await openFixMode(line, host),
    installation,
    settings,
    host,
  });
}

async function readNamed(name: string, checks: readonly Check[], host: Host): Promise<ReadFile> {
  try {
    const { bytes } = await readDocument(name, host, limitOf(checks));
    return { bytes };
  } catch (error) {
    if (error instanceof MachineError) return { unread: error.message, failed: true };
    if (error instanceof ToolError) return { unread: error.message };
    throw error;
  }
}

/** A fault in a second document, such as a schema, concerns an option and not the file. */
function toRefusal(tool: CatalogTool, error: ToolError): ToolError {
  const { message, details } = error;
  const [first] = details.errors ?? [];
  if (first?.field === undefined) return toOptionError(tool, error);
  const text = describeError(new ToolError("invalid_document", first.message, details));
  return usageError(`--${toFlag(first.field)}: ${text === "" ? message : text}`);
}
