import type { FileAccess } from "./files.ts";
import { listFiles } from "./git/list-files.ts";
import { GitError, type Repository } from "./git/run-git.ts";
import type { LeftOutCount } from "./left-out.ts";
import { walk, type WalkedFiles } from "./walk.ts";

export interface TreeDeps {
  /** The folder of the patterns, absolute. */
  folder: string;
  /** The repository that contains it; undefined if there is none. */
  repository: Repository | undefined;
  files: FileAccess;
  leftOut: LeftOutCount;
  /** Called if the repository is read without Git, because Git is not installed. */
  warn(message: string): Promise<void>;
}

/**
 * Lists the files below a folder: in a repository those that Git tracks or would add, elsewhere those that `.gitignore` does
 * not ignore.
 * @throws GitError if Git refuses the repository or fails.
 */
export async function listTree({ folder, repository, files, leftOut, warn }: TreeDeps): Promise<WalkedFiles> {
  if (repository === undefined) return walk(folder, files, leftOut);
  try {
    const { names, submodules, links } = await listFiles(repository, folder);
    for (const name of submodules) leftOut.add("submodule", name);
    for (const name of links) leftOut.add("link", name);
    return { paths: names, unread: [] };
  } catch (error) {
    if (!(error instanceof GitError) || !error.missing) throw error;
    await warn("git is not installed, so .gitignore alone says which files are left out.");
    return walk(folder, files, leftOut);
  }
}
