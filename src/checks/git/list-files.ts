import { decodeFileName } from "../../lib/file-name.ts";
import { type Repository, runGit, splitNul } from "./run-git.ts";

export interface TrackedFiles {
  /** Files that Git tracks, and others that it does not ignore, sorted; relative to the folder. Some may be deleted. */
  paths: string[];
  /** Repositories in the repository, which are not entered. */
  submodules: string[];
  /** Symbolic links that Git tracks. */
  links: string[];
}

/** Lists the files below a folder of a repository. @throws GitError */
export async function listFiles(repository: Repository, folder: string): Promise<TrackedFiles> {
  // With -t a name cannot be mistaken for the mode, object and stage that -s writes before others.
  const words = ["ls-files", "-z", "-t", "-s", "-c", "-o", "--exclude-standard"];
  const paths = new Set<string>();
  const submodules = new Set<string>();
  const links = new Set<string>();
  for (const entry of splitNul(await runGit(repository, folder, words))) {
    const tracked = entry[0] !== 0x3f;
    const path = decodeFileName(entry.subarray(tracked ? entry.indexOf(9) + 1 : 2));
    const mode = tracked ? entry.toString("latin1", 2, 8) : "";
    if (mode === "160000") submodules.add(path);
    // An untracked repository is one entry that ends with a slash.
    else if (path.endsWith("/")) submodules.add(path.slice(0, -1));
    else if (mode === "120000") links.add(path);
    else paths.add(path);
  }
  return { paths: [...paths].toSorted(), submodules: [...submodules], links: [...links] };
}

export interface IgnoredFiles {
  paths: string[];
  /** Folders of which everything is ignored, without the slash at their end. */
  folders: string[];
}

/** Lists what Git ignores below a folder; an ignored folder is listed, but not its files. @throws GitError */
export async function listIgnored(repository: Repository, folder: string): Promise<IgnoredFiles> {
  const words = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"];
  const paths: string[] = [];
  const folders: string[] = [];
  for (const bytes of splitNul(await runGit(repository, folder, words))) {
    const path = decodeFileName(bytes);
    if (path.endsWith("/")) folders.push(path.slice(0, -1));
    else paths.push(path);
  }
  return { paths, folders };
}
