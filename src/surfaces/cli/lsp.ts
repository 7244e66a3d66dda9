import { defineLeaf } from "./command.ts";
import { openInstallation } from "./installation.ts";
import { loadSettings, type SettingsArgs } from "./load-settings.ts";
import { createLocalRunner } from "./local-runner.ts";
import { findPipelines } from "./pipeline-folder.ts";

export const lspCommand = defineLeaf({
  description:
    "Serve an editor over standard input and output (Language Server Protocol): findings and fixes of penknife check.",
  args: {
    stdio: { type: "boolean", description: "The only transport; editors that name one may name it" },
  },
  examples: ["penknife lsp"],
  async run(args, host) {
    const installation = await openInstallation(host);
    const settings = await loadSettings(args as SettingsArgs, host, installation);
    const { disabled, inlineBytes } = settings.config.tools;
    const pipelines = findPipelines(installation.config.file?.path, host.files);
    const catalog =
      disabled.length === 0 ? installation.catalog : await host.program.catalog(disabled, pipelines);
    const { runner, close } = createLocalRunner(host, {
      catalog,
      settings,
      workers: host.processors,
      inlineBytes,
    });
    try {
      return await host.program.serveEditor({ catalog, runner, disabled }, host);
    } finally {
      await close();
    }
  },
});
