import { dirname, join } from "node:path";
import type { PipelineFolder } from "../../catalog/pipelines.ts";
import type { Files } from "./host.ts";
import { unreadable } from "./machine-error.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

/** Where an image without a configuration file has them. */
const usual = "/etc/penknife";

/**
 * The pipelines of an installation: the folder `pipelines` beside its configuration file. Undefined where there is none,
 * or nothing in it. What is in the files is not looked at.
 * @throws ToolError invalid_input where the folder cannot be read.
 */
export function findPipelines(configFile: string | undefined, files: Files): PipelineFolder | undefined {
  const path = join(configFile === undefined ? usual : dirname(configFile), "pipelines");
  let names: readonly string[] | undefined;
  try {
    names = files.list(path);
  } catch (error) {
    throw unreadable(path, error);
  }
  // A folder that Kubernetes mounts has links to and fro in it that begin with dots.
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
