import { dirname, join } from "node:path";
import type { PipelineFolder } from "../../catalog/pipelines.ts";
import type { Files } from "./host.ts";
import { unreadable } from "./machine-error.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

/** The default in a container without a configuration file. */
const defaultFolder = "/etc/penknife";

/**
 * Lists the pipelines of an installation: the folder `pipelines` beside its configuration file. Undefined if the folder
 * is missing or empty. The files are not read.
 * @throws ToolError invalid_input if the folder cannot be read.
 */
export function findPipelines(configFile: string | undefined, files: Files): PipelineFolder | undefined {
  const path = join(configFile === undefined ? defaultFolder : dirname(configFile), "pipelines");
  let names: readonly string[] | undefined;
  try {
    names = files.list(path);
  } catch (error) {
    throw unreadable(path, error);
  }
  // Kubernetes mounts contain links whose names start with a dot.
  const found = names?.filter((name) => /^[^.].*\.ya?ml$/i.test(name)).toSorted() ?? [];
  if (found.length === 0) return undefined;
  return {
    path,
    files: found,
    read(name) {
      const file = join(path, name);
      let text: string | undefined;
      try {
        text = files.readText(file);
      } catch (error) {
        throw unreadable(file, error);
      }
      if (text === undefined) throw usageError(`${visible(file)} cannot be read: there is no such file`);
      return text;
    },
  };
}
