import { decodeFileName } from "../../lib/file-name.ts";
import { type Repository, runGit, splitNul } from "./run-git.ts";

export interface ListedFiles {
  /** Files that Git tracks, and others that it does not ignore, sorted; relative to the folder. Some may be deleted. */
  names: string[];
  /** Repositories in the repository, which are not entered. */
  submodules: string[];
  /** Symbolic links that Git tracks. */
  links: string[];
}

/** Lists the files below a folder of a repository. @throws GitError */
export async function listFiles(repository: Repository, folder: string): Promise<ListedFiles> {
  // With -t a name cannot be mistaken for the mode, object and stage that -s writes before others.
  const words = ["ls-files", "-z", "-t", "-s", "-c", "-o", "--exclude-standard"];
  const names = new Set<string>();
  const submodules = new Set<string>();
  const links = new Set<string>();
  for (const entry of splitNul(await runGit(repository, folder, words))) {
    const tracked = entry[0] !== 0x3f;
    const start = tracked ? entry.indexOf(9) + 1 : 2;
    const name = decodeFileName(entry.subarray(start));
    const mode = tracked ? entry.toString("latin1", 2, 8) : "";
    if (mode === "160000") submodules.add(name);
    // An untracked repository is one entry that ends with a slash.
    else if (name.endsWith("/")) submodules.add(name.slice(0, -1));
    else if (mode === "120000") links.add(name);
    else names.add(name);
  }
  return {
    names: [...names].toSorted(),
    submodules: [...submodules].toSorted(),
    links: [...links].toSorted(),
  };
}
