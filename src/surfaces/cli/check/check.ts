import type { CatalogTool } from "../../../catalog/catalog.ts";
import { ToolError } from "../../../catalog/errors.ts";
import { type Command, defineGroup, defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { loadSettings } from "../load-settings.ts";
import { createLocalRunner, refuseDisabled } from "../local-runner.ts";
import { createProgress, type Progress } from "../progress.ts";
import { readOptions } from "../read-options.ts";
import { isBrokenPipe } from "../report-error.ts";
import { refuseData } from "../run-line.ts";
import { type Installation, toolCommands } from "../installation.ts";
import { createStyle } from "../style.ts";
import { visibleLines } from "../visible.ts";
import { fileTwins, repeatableOptions, toOptionError, toolArgs } from "../tool-options.ts";
import { usageError } from "../usage-error.ts";
import { type CheckedFile, checkFiles, toUnread } from "./check-files.ts";
import { expandPatterns } from "./expand-patterns.ts";
import { chooseFormat, createReporter, type Format, formats } from "./formats/format.ts";
import { createTally } from "./tally.ts";

/** Documents above this many bytes are checked in workers, in parallel. */
const largeDocument = 1_048_576;

export const checkCommand = defineGroup({
  description: "Check files with a tool; exit status 1 if there are findings.",
  kind: "tool",
  refused: refuseData("check TOOL"),
  commands: (host) => toolCommands(host, toCommand),
  examples: [
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
      ...jsonArg,
      format: {
        type: "string",
        valueHint: formats.join("|"),
        description: "Output format: text lines (default), JSON, SARIF 2.1.0 or GitHub Actions annotations",
      },
    },
    many: true,
    repeatable: repeatableOptions(tool),
    twins: fileTwins(tool),
    refused: refuseData(`check ${tool.slug}`),
    async run(args, host, raw) {
      if (tool.check === undefined) {
        throw usageError(`${tool.slug} has no check mode: it neither validates nor formats a document.`);
      }
      const line = args as Line;
      const format = chooseFormat(line);
      // This command's --format is not the option of that name that a differ has for its result.
      const { pairs } = await readOptions(tool, withoutFormat(raw), host);
      return runCheck(tool, line, pairs, format, installation, host);
    },
  });
}

function withoutFormat(raw: readonly string[]): string[] {
  const end = raw.indexOf("--");
  return raw.filter((word, at) => at >= end || !word.startsWith("--format="));
}

interface Line {
  json?: boolean;
  format?: string;
  config?: string;
  _: string[];
}

async function runCheck(
  tool: CatalogTool,
  line: Line,
  options: [string, string][],
  format: Format,
  installation: Installation,
  host: Host,
): Promise<number> {
  const settings = await loadSettings(line, host, installation);
  refuseDisabled(tool.slug, settings);
  const { names, unread, leftOut } = await expandPatterns(line._, host);
  const workers = Math.max(1, Math.min(host.processors, names.length));
  const runner = createLocalRunner(host, {
    catalog: installation.catalog,
    settings,
    workers,
    inlineBytes: largeDocument,
  });
  // A document typed on the terminal leaves no room for a progress line.
  const typed = names.includes("-") && host.stdin.isTTY;
  const progress = createProgress(host, typed ? 0 : names.length);
  const print = createPrinter(host, progress);
  const { version } = await host.program.build();
  const reporter = createReporter(format, { version, host, print });
  const tally = createTally();
  const add = async (file: CheckedFile) => {
    tally.add(file);
    if (file.unread === true) await reportUnread(file, host, progress);
    await reporter.add(file);
  };
  try {
    for (const one of unread) await add(toUnread(tool, one));
    const checked = checkFiles({ tool, names, options, width: workers * 2, run: runner.run, host });
    for await (const file of checked) {
      progress.advance();
      await add(file);
    }
  } catch (error) {
    throw error instanceof ToolError ? toOptionError(tool, error) : error;
  } finally {
    progress.end();
    await runner.close();
  }
  const status = tally.status();
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
