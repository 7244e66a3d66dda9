import { readPipelineFile } from "../../catalog/pipeline-file.ts";
import type { Tool } from "../../catalog/tool.ts";
import { defineLeaf } from "./command.ts";
import type { Host } from "./host.ts";
import { openInstallation } from "./installation.ts";
import { loadSettings } from "./load-settings.ts";
import { unreadable } from "./machine-error.ts";
import {
  documentArgs,
  documentTwins,
  refuseData,
  reportOnlyArg,
  resultArgs,
  type RunLine,
} from "./run-line.ts";
import { runSteps } from "./run-steps.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

/** `penknife run -p FILE`. */
export const pipelineCommand = defineLeaf({
  description: "Run the steps of a pipeline on a file or standard input.",
  args: {
    ...documentArgs,
    pipeline: {
      type: "string",
      valueHint: "FILE",
      required: true,
      description:
        "YAML file with the steps: steps: [{tool: base64-decoder}, {tool: json-formatter, with: {indent: 4}}]",
    },
    check: {
      type: "boolean",
      description: "Print the report of the last step instead; exit status 1 if it has errors",
    },
    ...reportOnlyArg,
    ...resultArgs,
  },
  twins: [documentTwins],
  refused: refuseData("run -p PIPELINE"),
  examples: ["penknife run -p release.yaml notes.md", "penknife run -p audit.yaml --check < config.b64"],
  async run(args, host) {
    const installation = await openInstallation(host, args.config);
    const { catalog } = installation;
    const settings = await loadSettings(args, host, installation);
    const text = readPipelineText(args.pipeline, host);
    const { steps, tools } = await readPipelineFile(text, visible(args.pipeline), catalog.get);
    const [first, last] = [tools[0], tools.at(-1)] as [Tool, Tool];
    return runSteps(steps, { first, last }, args as RunLine, settings, catalog, host);
  },
});

function readPipelineText(path: string, { files }: Host): string {
  let text: string | undefined;
  try {
    text = files.readText(path);
  } catch (error) {
    throw unreadable(path, error);
  }
  if (text !== undefined) return text;
  throw usageError(`${visible(path)} cannot be read: there is no such file`);
}
