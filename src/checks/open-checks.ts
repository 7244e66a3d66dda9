import { dirname, relative, resolve } from "node:path";
import type { Catalog } from "../catalog/catalog.ts";
import { ToolError } from "../catalog/errors.ts";
import { toText } from "../catalog/text.ts";
import { largestText } from "../catalog/tool.ts";
import { showFileName } from "../lib/file-name.ts";
import { reasonOf } from "../lib/system-error.ts";
import { type ChecksFile, readChecksFile } from "./checks-file.ts";
import type { FileAccess, RegularFile } from "./files.ts";
import { isInside } from "./inside.ts";
import type { Repository } from "./git/run-git.ts";
import { checksFileName, findChecksFile, findRoot } from "./repository.ts";

export interface OpenedChecks {
  file: ChecksFile;
  /** The list of checks and the second documents, absolute: what they say holds for other files. */
  sources: ReadonlySet<string>;
  /** The folder that the patterns are relative to, absolute. */
  folder: string;
  /** The repository that contains the folder. */
  repository: Repository | undefined;
}

export interface OpenChecksDeps {
  catalog: Catalog;
  /** Slugs that the configuration switches off. */
  disabled: readonly string[];
  files: FileAccess;
  /** The environment of this process. */
  env: Repository["env"];
}

/**
 * Finds and reads the checks of the current folder.
 * @param named The name of the file; without it, the nearest `penknife.checks.yaml` up to the root of the repository.
 * @throws ToolError invalid_input if there is none, or with every mistake in it.
 */
export async function openChecks(named: string | undefined, deps: OpenChecksDeps): Promise<OpenedChecks> {
  const { files, env, catalog, disabled } = deps;
  const { cwd } = files;
  const root = findRoot(cwd, files);
  const path = named === undefined ? findChecksFile(cwd, root, files) : resolve(cwd, named);
  if (path === undefined) throw noFile(root, cwd);
  const shown = showFileName(named ?? relative(cwd, path));
  // Messages quote the file, and nobody has named this one.
  if (named === undefined && !isInside(files.realPath(root ?? cwd), files.realPath(path)))
    throw refusal(
      `${shown} is a link out of ${showFileName(root ?? cwd)}. To read it nevertheless: --checks ${shown}`,
    );
  const home = dirname(path);
  // A pull request can change the file, and findings quote the documents.
  const boundary = findRoot(home, files) ?? home;
  const sources = new Set([path]);
  const file = await readChecksFile(readFile(path, shown, files), shown, {
    catalog,
    disabled,
    readText(name) {
      const absolute = resolve(home, name);
      const target = files.realPath(absolute);
      sources.add(absolute);
      if (!isInside(files.realPath(boundary), target))
        throw refusal(
          `${showFileName(name)} is outside of ${showFileName(boundary)}; its files alone are read.`,
        );
      return readFile(target, showFileName(name), files);
    },
  });
  const folder = isInside(root ?? cwd, home) ? home : (root ?? cwd);
  return { file, sources, folder, repository: root === undefined ? undefined : { root, env } };
}

function readFile(path: string, shown: string, files: FileAccess): string {
  let found: RegularFile;
  try {
    found = files.readRegular(files.realPath(path), largestText);
  } catch (error) {
    throw refusal(`${shown} cannot be read: ${reasonOf(error)}`);
  }
  if (found === "missing") throw refusal(`${shown} cannot be read: there is no such file`);
  if (typeof found === "string") throw refusal(`${shown} is not a regular file.`);
  if ("size" in found) throw refusal(`${shown} is too large: it has ${found.size} bytes.`);
  return toText(found.bytes, "invalid_input", shown);
}

function noFile(root: string | undefined, cwd: string): ToolError {
  const where =
    root === undefined
      ? "in this folder"
      : root === cwd
        ? "in this repository"
        : `here or in a folder above, up to ${showFileName(root)}`;
  return refusal(
    `There is no ${checksFileName} ${where}. penknife check init writes one; to check files with one tool: penknife check TOOL FILES`,
  );
}

const refusal = (message: string): ToolError => new ToolError("invalid_input", message);
