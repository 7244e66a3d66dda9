import type { ConfigSearch, IgnoredFile, LoadedSettings } from "../../config.ts";
import type { Host, SettingsSources } from "./host.ts";
import type { Installation } from "./installation.ts";
import { unreadable } from "./machine-error.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";
import { writeWarning } from "./write-warning.ts";

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
 * Loads the configuration for a command that works without it. A file that is found in the current folder and not trusted is
 * ignored with a warning: the folder may be a pull request, an archive or somebody else's.
 * @param installation Spares reading the configuration file again if it is the one that `args` select.
 * @throws ToolError invalid_input that names the option, its origin and its allowed values.
 */
export async function loadSettings(
  args: SettingsArgs,
  host: Host,
  installation?: Installation,
): Promise<LoadedSettings> {
  const settings = await load(args, host, installation);
  await warnOfIgnored(settings.ignored, host);
  return settings;
}

/**
 * Loads the configuration for a command that acts as the operator: it refuses to go on without a file that may be the
 * operator's.
 * @throws ToolError as `loadSettings` does, and for a file that is found and not trusted.
 */
export async function loadOperatorSettings(args: SettingsArgs, host: Host): Promise<LoadedSettings> {
  // Before its other values are read: they may be wrong without the file.
  const found = await findConfigFile(args.config, host);
  const [first] = found.ignored;
  if (first !== undefined)
    throw usageError(
      `The configuration file ${visible(first.path)} is not trusted: ${visible(first.reason)}. ${howToUse(first)}`,
    );
  return load(args, host, { named: args.config, config: found });
}

function load(
  args: SettingsArgs,
  host: Host,
  installation?: Pick<Installation, "named" | "config">,
): Promise<LoadedSettings> {
  return host.program.loadConfig({
    ...(installation !== undefined && installation.named === args.config && { found: installation.config }),
    flags: [
      { option: "storage.path", flag: "--data", value: args.data },
      { option: "server.host", flag: "--host", value: args.host },
      { option: "server.port", flag: "--port", value: args.port },
    ],
    ...toSources(args.config, host),
  });
}

/** The processes that have been warned: a watching check loads its settings in every round. */
const warned = new WeakSet<Host["stderr"]>();

async function warnOfIgnored(ignored: readonly IgnoredFile[], host: Host): Promise<void> {
  if (warned.has(host.stderr)) return;
  for (const one of ignored) {
    warned.add(host.stderr);
    const message = `The configuration file ${one.path} is ignored: ${one.reason}. ${howToUse(one)}`;
    // A command does its work also where nobody reads its standard error.
    await writeWarning(message, host).catch(() => undefined);
  }
}

const howToUse = ({ path }: IgnoredFile): string => `If it is yours, name it: --config ${visible(path)}`;

/** Finds the configuration file. @param named The value of `--config`. */
export const findConfigFile = (named: string | undefined, host: Host): Promise<ConfigSearch> =>
  host.program.findConfigFile(toSources(named, host));

function toSources(file: string | undefined, { env, files, uid }: Host): Omit<SettingsSources, "flags"> {
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
    async readFound(path) {
      try {
        return await files.readFound(path, uid);
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
