import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { encodeFileName } from "../../lib/file-name.ts";
import type { FileAccess } from "../files.ts";
import { findRoot } from "../repository.ts";
import type { Environment, Repository } from "./environment.ts";
import { locateData } from "./locate-data.ts";
import { namesOwnFile } from "./own-settings.ts";
import { GitError, runUnbound, splitNul } from "./run-git.ts";

export interface OpenRepositoryDeps {
  files: FileAccess;
  /** The environment of this process. */
  env: Environment;
}

/**
 * Opens the repository that contains a folder; undefined if there is none.
 * @throws GitError if its data belong to another folder or, unless Git trusts them, to another user
 */
export async function openRepository(
  folder: string,
  { files, env }: OpenRepositoryDeps,
): Promise<Repository | undefined> {
  const root = findRoot(folder, files);
  if (root === undefined) return undefined;
  const { gitDir, commonDir, settings } = locateData(root, files);
  try {
    // Git does not look at the owner of a repository that the environment names.
    if (![root, join(root, ".git"), gitDir].every(isOwn))
      await runUnbound({ root, env }, ["rev-parse", "--git-dir"]);
    const overrides: string[] = [];
    for (const name of fileSettings) {
      const value = settings.get(name);
      if (value !== undefined && !namesOwnFile(value, { root, files }))
        overrides.push(`${name}=${await findTrusted(name, { root, env })}`);
    }
    return { root, gitDir, commonDir, env, settings, overrides };
  } catch (error) {
    if (!(error instanceof GitError) || !error.missing) throw error;
    return { root, gitDir, commonDir, env, settings, overrides: [] };
  }
}

/** Settings that name a file whose lines Git reads. */
const fileSettings = ["core.attributesfile", "core.excludesfile"];

/** Returns the value that the configuration of the user or of the machine gives; the default if there is none. */
async function findTrusted(name: string, { root, env }: Pick<Repository, "root" | "env">): Promise<string> {
  for (const scope of ["--global", "--system"]) {
    try {
      const [value] = splitNul(await runUnbound({ root, env }, ["config", scope, "-z", "--get", name]));
      if (value !== undefined) return value.toString();
    } catch (error) {
      if (!(error instanceof GitError) || error.missing) throw error;
      // Git ends with status 1 for a setting that is not there.
    }
  }
  const home = env["XDG_CONFIG_HOME"] || (env["HOME"] ? join(env["HOME"], ".config") : undefined);
  return home === undefined
    ? "/dev/null"
    : join(home, "git", name === "core.excludesfile" ? "ignore" : "attributes");
}

function isOwn(path: string): boolean {
  try {
    return statSync(encodeFileName(path)).uid === userInfo().uid;
  } catch {
    // There may be a user without a name.
    return false;
  }
}
