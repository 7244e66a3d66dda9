import type { CatalogTool } from "../../catalog/catalog.ts";
import { ToolError } from "../../catalog/errors.ts";
import { type Command, defineGroup, defineLeaf, jsonArg } from "./command.ts";
import { checkFiles, type CheckedFile } from "./check-files.ts";
import { expandPatterns } from "./expand-patterns.ts";
import type { Host } from "./host.ts";
import { writeJson } from "./json.ts";
import { loadSettings } from "./load-settings.ts";
import { createLocalRunner, refuseDisabled } from "./local-runner.ts";
import { isBrokenPipe } from "./report-error.ts";
import { createStyle } from "./style.ts";
import { toolCommands } from "./tool-commands.ts";
import { repeatableOptions, toOptionError, toOptions, toolArgs } from "./tool-options.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

/** Documents above this many bytes are spread over the cores. */
const largeDocument = 1_048_576;

export const checkCommand = defineGroup({
  description: "Judge many files with one tool; exit status 1 where there are findings.",
  kind: "tool",
  commands: (host) => toolCommands(host, toCommand),
  examples: [
    "penknife check json-validator 'src/**/*.json'",
    "penknife check json-formatter --indent 4 package.json tsconfig.json",
    "penknife check json-validator --json - < a.json",
  ],
});

function toCommand(tool: CatalogTool): Command {
  return defineLeaf({
    description: tool.summary,
    hidden: tool.check === undefined,
    args: {
      files: {
        type: "positional",
        required: tool.check !== undefined,
        description: "Files and quoted patterns such as 'src/**/*.json'; - is standard input",
      },
      ...toolArgs(tool),
      ...jsonArg,
    },
    many: true,
    repeatable: repeatableOptions(tool),
    async run(args, host, raw) {
      if (tool.check === undefined) {
        throw usageError(`${tool.slug} has no check mode: it neither judges nor formats a document.`);
      }
      const line = args as { json?: boolean; config?: string; data?: string; _: string[] };
      return runCheck(tool, line, toOptions(tool, raw), host);
    },
  });
}

async function runCheck(
  tool: CatalogTool,
  line: { json?: boolean; config?: string; data?: string; _: string[] },
  options: [string, string][],
  host: Host,
): Promise<number> {
  const settings = await loadSettings(line, host);
  refuseDisabled(tool.slug, settings);
  const names = await expandPatterns(line._, host.files);
  const workers = Math.max(1, Math.min(host.processors, names.length));
  const runner = await createLocalRunner(host, { settings, workers, inlineBytes: largeDocument });
  const files: CheckedFile[] = [];
  const print = createPrinter(host);
  try {
    const checked = checkFiles({ tool, names, options, width: workers * 2, run: runner.run, host });
    for await (const file of checked) {
      files.push(file);
      if (line.json !== true) await print(toLines(file, host));
    }
  } catch (error) {
    throw error instanceof ToolError ? toOptionError(tool, error) : error;
  } finally {
    await runner.close();
  }
  if (line.json === true) await writeJson(host, { items: files });
  else await host.stderr.write(toSummary(files));
  if (files.some((file) => file.failed)) return 3;
  return files.every((file) => file.valid) ? 0 : 1;
}

/** Goes on in silence when nobody reads any more: `check … | head` must still fail a pipeline that has findings. */
function createPrinter({ stdout }: Host): (text: string) => Promise<void> {
  let broken = false;
  return async (text) => {
    if (broken || text === "") return;
    try {
      await stdout.write(text);
    } catch (error) {
      if (!isBrokenPipe(error)) throw error;
      broken = true;
    }
  };
}

function toLines({ file, errors }: CheckedFile, host: Host): string {
  const style = createStyle(host.stdout, host.env);
  return errors
    .map(({ line, column, message, severity, rule }) => {
      const place = style.bold([visible(file), line, column].filter((part) => part !== undefined).join(":"));
      const kind = severity === "warning" ? style.yellow("warning: ") : "";
      return `${place}: ${kind}${visible(message)} ${style.dim(`(${rule})`)}\n`;
    })
    .join("");
}

function toSummary(files: readonly CheckedFile[]): string {
  const findings = files.reduce((sum, file) => sum + file.errors.length, 0);
  const faulty = files.filter((file) => file.errors.length > 0).length;
  const among = `${count(files.length, "file")} checked`;
  return findings === 0
    ? `${among}, no findings\n`
    : `${among}, ${count(findings, "finding")} in ${count(faulty, "file")}\n`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
