import type { Host, LoadedSettings } from "./host.ts";
import { reasonOf } from "./read-document.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

/** What the options of every command say about the configuration. */
export interface SettingsArgs {
  config?: string | undefined;
  data?: string | undefined;
  host?: string | undefined;
  port?: string | undefined;
}

/** @throws ToolError invalid_input that names the option, where it came from and what it takes. */
export function loadSettings(args: SettingsArgs, { program, env, files }: Host): Promise<LoadedSettings> {
  return program.loadConfig({
    flags: [
      { option: "storage.path", flag: "--data", value: args.data },
      { option: "server.host", flag: "--host", value: args.host },
      { option: "server.port", flag: "--port", value: args.port },
    ],
    ...(args.config !== undefined && { file: args.config }),
    env,
    readText(path) {
      try {
        return files.readText(path);
      } catch (error) {
        throw usageError(`The file ${visible(path)} cannot be read: ${reasonOf(error)}`);
      }
    },
  });
}
