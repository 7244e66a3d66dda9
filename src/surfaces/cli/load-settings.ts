import type { Host, LoadedSettings, SettingsSources } from "./host.ts";
import { unreadable } from "./machine-error.ts";

/** The options that select or override the configuration. */
export interface SettingsArgs {
  config?: string | undefined;
  data?: string | undefined;
  host?: string | undefined;
  port?: string | undefined;
}

/** For the commands that need the listening address. */
export const listenArgs = {
  host: {
    type: "string",
    valueHint: "H",
    description: "Address to listen on (server.host, default 127.0.0.1)",
  },
  port: { type: "string", valueHint: "P", description: "Port to listen on (server.port, default 8787)" },
} as const;

/** @throws ToolError invalid_input that names the option, its origin and its allowed values. */
export function loadSettings(args: SettingsArgs, host: Host): Promise<LoadedSettings> {
  return host.program.loadConfig({
    flags: [
      { option: "storage.path", flag: "--data", value: args.data },
      { option: "server.host", flag: "--host", value: args.host },
      { option: "server.port", flag: "--port", value: args.port },
    ],
    ...toSources(args.config, host),
  });
}

/** Finds the configuration file that the line names, before the line is validated, to locate what lies beside it. */
export function findConfigFile(host: Host): Promise<string | undefined> {
  return host.program.findConfigFile(toSources(configOf(host.line ?? []), host));
}

function toSources(file: string | undefined, { env, files }: Host): Omit<SettingsSources, "flags"> {
  return {
    ...(file !== undefined && { file }),
    env,
    readText(path) {
      try {
        return files.readText(path);
      } catch (error) {
        throw unreadable(path, error);
      }
    },
  };
}

function configOf(line: readonly string[]): string | undefined {
  for (const [at, word] of line.entries()) {
    if (word === "--") return undefined;
    if (word === "--config") return line[at + 1];
    if (word.startsWith("--config=")) return word.slice("--config=".length);
  }
  return undefined;
}
