import type { ConfigFile, Host, LoadedSettings, SettingsSources } from "./host.ts";
import type { Installation } from "./installation.ts";
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

/**
 * @param installation Spares reading the configuration file again if it is the one that `args` select.
 * @throws ToolError invalid_input that names the option, its origin and its allowed values.
 */
export function loadSettings(
  args: SettingsArgs,
  host: Host,
  installation?: Installation,
): Promise<LoadedSettings> {
  return host.program.loadConfig({
    ...(installation !== undefined &&
      installation.named === args.config && { found: installation.configFile ?? "none" }),
    flags: [
      { option: "storage.path", flag: "--data", value: args.data },
      { option: "server.host", flag: "--host", value: args.host },
      { option: "server.port", flag: "--port", value: args.port },
    ],
    ...toSources(args.config, host),
  });
}

/** Finds the configuration file. @param named The value of `--config`. */
export const findConfigFile = (named: string | undefined, host: Host): Promise<ConfigFile | undefined> =>
  host.program.findConfigFile(toSources(named, host));

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

/** Returns the value of `--config` in a line that is not parsed yet: the commands of a group may depend on it. */
export function configOf(line: readonly string[]): string | undefined {
  for (const [at, word] of line.entries()) {
    if (word === "--") return undefined;
    if (word === "--config") return line[at + 1];
    if (word.startsWith("--config=")) return word.slice("--config=".length);
  }
  return undefined;
}
