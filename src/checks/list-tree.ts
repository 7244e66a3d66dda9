import { append } from "../lib/append.ts";
import { join } from "node:path";
import type { FileAccess } from "./files.ts";
import type { Repository } from "./git/environment.ts";
import { listFiles } from "./git/list-files.ts";
import { GitError } from "./git/run-git.ts";
import type { LeftOutCount } from "./left-out.ts";
import { type ListedFiles, walk } from "./walk.ts";

export interface TreeDeps {
  /** The folder of the patterns, absolute. */
  folder: string;
  /** The repository that contains it; undefined if there is none. */
  repository: Repository | undefined;
  /** Whether the files in ignored folders are listed, too. */
  enterIgnored: boolean;
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
export async function listTree(deps: TreeDeps): Promise<ListedFiles> {
  const { repository, folder, files, enterIgnored, leftOut, warn } = deps;
  if (repository !== undefined) {
    try {
      return await listRepository(repository, deps);
    } catch (error) {
      if (!(error instanceof GitError) || !error.missing) throw error;
      await warn("git is not installed, so .gitignore alone decides which files are left out.");
    }
  }
  return walk(folder, files, { gitignore: true, enterIgnored, leftOut });
}

async function listRepository(
  repository: Repository,
  { folder, enterIgnored, files, leftOut }: TreeDeps,
): Promise<ListedFiles> {
  const { tracked, untracked, ignored } = await listFiles(repository, folder);
  const paths = new Set(untracked.paths);
  for (const { path, mode } of tracked) {
    if (mode === "160000") leftOut.add("submodule", path);
    else if (mode === "120000") leftOut.add("link", path);
    else paths.add(path);
  }
  for (const path of untracked.repositories) leftOut.add("submodule", path);
  const inner = [...ignored.paths];
  const unread: ListedFiles["unread"] = [];
  for (const path of ignored.folders) {
    if (!enterIgnored || /(?:^|\/)node_modules$/.test(path)) {
      leftOut.add("ignored-folder", path);
      continue;
    }
    const found = walk(join(folder, path), files, { gitignore: false, enterIgnored, leftOut });
    append(
      inner,
      found.paths.map((one) => `${path}/${one}`),
    );
    for (const { name, message } of found.unread) unread.push({ name: join(path, name), message });
  }
  return { paths: [...paths].toSorted(), ignored: inner, unread };
}
