import { createLocalRunner } from "./local-runner.ts";
import { defineLeaf } from "./command.ts";
import type { AgentOptions, Host } from "./host.ts";
import { findPipelines } from "./pipeline-folder.ts";
import { loadSettings, type SettingsArgs } from "./load-settings.ts";
import { openInstallation } from "./installation.ts";
import { insecureArg } from "./server-url.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

export const mcpCommand = defineLeaf({
  description: "Serve an agent over standard input and output (Model Context Protocol).",
  args: {
    root: {
      type: "string",
      valueHint: "DIR",
      default: ".",
      description: "The folder whose files the agent may name",
    },
    "allow-write": { type: "boolean", description: "Let results be written to files below that folder" },
    tools: {
      type: "string",
      valueHint: "LIST",
      description: "Offer these tools one by one: categories and slugs such as json,lint, or all",
    },
    server: {
      type: "string",
      valueHint: "URL",
      description: "Run the tools on this server, with the key in PENKNIFE_KEY; files stay on this machine",
    },
    "key-file": {
      type: "string",
      valueHint: "FILE",
      description: "The key of the account, for --server (PENKNIFE_KEY, PENKNIFE_KEY_FILE)",
    },
    ...insecureArg,
  },
  examples: [
    "penknife mcp --root .",
    "penknife mcp --root . --allow-write",
    "penknife mcp --server https://tools.example.com",
  ],
  run: (args, host) => serveAgent(args as Line, host),
});

interface Line extends SettingsArgs {
  root: string;
  "allow-write"?: boolean;
  tools?: string;
  server?: string;
  "key-file"?: string;
  insecure?: boolean;
}

async function serveAgent(line: Line, host: Host): Promise<number> {
  const root = host.files.realPath(line.root);
  if (host.files.stat(root)?.kind !== "folder")
    throw usageError(`--root: ${visible(line.root)} is no folder.`);
  const installation = await openInstallation(host);
  const settings = await loadSettings(line, host, installation);
  const { disabled } = settings.config.tools;
  const pipelines = findPipelines(installation.config.file?.path, host.files);
  const catalog =
    disabled.length === 0 ? installation.catalog : await host.program.catalog(disabled, pipelines);
  const { runner, close } = await openRunner(line, { catalog, settings }, host);
  try {
    await host.program.serveAgent(
      { catalog, runner, root, allowWrite: line["allow-write"] === true, selection: line.tools, disabled },
      host,
    );
  } finally {
    await close();
  }
  return 0;
}

interface Runner {
  runner: AgentOptions["runner"];
  close(): Promise<void>;
}

/** Runs tools here, or on a server. */
async function openRunner(
  line: Line,
  given: Pick<Parameters<typeof createLocalRunner>[1], "catalog" | "settings">,
  host: Host,
): Promise<Runner> {
  if (line.server === undefined) {
    for (const option of ["key-file", "insecure"] as const)
      if (line[option] !== undefined) throw usageError(`--${option} goes with --server.`);
    const { tools } = given.settings.config;
    return createLocalRunner(host, { ...given, workers: host.processors, inlineBytes: tools.inlineBytes });
  }
  const { openRemote } = await import("./inbox/remote.ts");
  const { createRemoteRunner } = await import("./remote-runner.ts");
  return { runner: createRemoteRunner(await openRemote(line, host)), close: async () => undefined };
}
