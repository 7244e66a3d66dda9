import type { CatalogTool } from "../../catalog/catalog.ts";
import { ToolError } from "../../catalog/errors.ts";
import { type Command, defineGroup, defineLeaf } from "./command.ts";
import { reportDocumentError } from "./document-error.ts";
import type { Host } from "./host.ts";
import { loadSettings } from "./load-settings.ts";
import { createLocalRunner, refuseDisabled } from "./local-runner.ts";
import { limitOf, readInput } from "./read-document.ts";
import { type GivenOptions, readOptions } from "./read-options.ts";
import {
  documentArgs,
  documentTwins,
  refuseData,
  refuseIdleReportOnly,
  reportOnlyArg,
  resultArgs,
  type RunLine,
  toStatus,
} from "./run-line.ts";
import { runBlocks } from "./run-blocks.ts";
import { runSteps } from "./run-steps.ts";
import { type Installation, toolCommands } from "./installation.ts";
import {
  fileTwins,
  repeatableOptions,
  takesDocument,
  takesTwo,
  toOptionError,
  toolArgs,
} from "./tool-options.ts";
import { toTarget, writeResult } from "./write-result.ts";

export const runCommand = defineGroup({
  description: "Run a tool, or a pipeline with -p, on a file or standard input.",
  kind: "tool",
  refused: refuseData("run TOOL"),
  commands: (host) => toolCommands(host, toCommand),
  instead: {
    flag: "-p",
    option: "pipeline",
    load: async () => (await import("./pipeline.ts")).pipelineCommand,
  },
  examples: [
    "penknife run json-formatter --indent 2 < a.json",
    "penknife run json-formatter --check package.json",
    "penknife run timestamp-converter --text 1735689600",
    "penknife run json-differ old.json new.json",
    "penknife run base64-encoder --out photo.b64 photo.jpg",
    "penknife run -p release.yaml notes.md",
  ],
});

/** A tool as a command, with the fields of its schema as options. */
function toCommand(tool: CatalogTool, installation: Installation): Command {
  return defineLeaf({
    description: tool.summary,
    category: tool.category,
    args: {
      ...(takesDocument(tool) && documentArgs),
      ...(takesTwo(tool) && secondArg),
      ...toolArgs(tool),
      ...(tool.check !== undefined && {
        check: { type: "boolean", description: "Print a report instead; exit status 1 if it has errors" },
        ...reportOnlyArg,
      }),
      ...resultArgs,
    },
    repeatable: repeatableOptions(tool),
    twins: [...(takesDocument(tool) ? [documentTwins] : []), ...fileTwins(tool)],
    refused: refuseData(takesDocument(tool) ? `run ${tool.slug}` : undefined),
    async run(args, host, raw) {
      const line = args as Line;
      const operands = takesTwo(tool) ? raw.slice(raw.indexOf("--") + 1) : [];
      return runTool(tool, line, await readOptions(tool, raw, host, operands), installation, host);
    },
  });
}

const secondArg = {
  second: {
    type: "positional",
    required: false,
    description: "The document to compare it with, as a file; standard input if -",
  },
} as const;

/** Above this many bytes of text, a tool runs in a worker that watches its memory. */
const largeText = 16 * 1024 * 1024;
/** Limits for work that is linear in the document and so always ends. */
const patientLimits = { deadlineMs: 3_600_000, memoryMb: 3072 };

interface Line extends RunLine {
  config?: string;
  /** The second file of a comparison. */
  second?: string;
}

async function runTool(
  tool: CatalogTool,
  line: Line,
  options: GivenOptions,
  installation: Installation,
  host: Host,
): Promise<number> {
  refuseIdleReportOnly(line, tool);
  const settings = await loadSettings(line, host, installation);
  if (tool.steps !== undefined)
    return runSteps(tool.steps, { first: tool, last: tool }, line, settings, installation.catalog, host);
  refuseDisabled(tool.slug, settings);
  const early = tool.runBlocks === undefined ? undefined : await runBlocks(tool, line, options, host);
  if (typeof early === "number") return early;
  const document =
    early ??
    (takesDocument(tool)
      ? await readInput(line, host, limitOf(tool))
      : { name: "", bytes: new Uint8Array() });
  // The worker takes ownership of the bytes, and an error message shows some of them, so they are copied. (`slice` of a
  // Buffer would share the memory.)
  const large = tool.maxBytes === undefined && document.bytes.length > largeText;
  const bytes = tool.isolate === "thread" || large ? new Uint8Array(document.bytes) : document.bytes;
  // Nothing else needs this thread. Only tools that must be stoppable run in a worker: those that may not end, and those
  // that may need so much memory that V8 would abort the process.
  const runner = createLocalRunner(host, {
    catalog: installation.catalog,
    settings,
    workers: 1,
    inlineBytes: large ? 0 : Infinity,
    ...(large && tool.isolate !== "process" && { limits: patientLimits }),
  });
  try {
    const answer = await runner.run({
      tool,
      body: { kind: "raw", bytes, text: tool.runBytes === undefined, options: options.pairs },
      form: "bytes",
      check: line.check === true,
    });
    await writeResult(answer.body, toTarget(line, tool.exact && line.check !== true, host), host);
    return toStatus(answer, line);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return await reportDocumentError(toOptionError(tool, error), document, host, options.documents);
  } finally {
    await runner.close();
  }
}
