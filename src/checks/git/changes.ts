import { decodeFileName } from "../../lib/file-name.ts";
import { type IndexEntry, listFiles } from "./list-files.ts";
import { absent, openComparison, type Version } from "./compare.ts";
import type { Repository } from "./environment.ts";
import { GitError, runGit, splitNul } from "./run-git.ts";
import { requireTrackable } from "./tracked-path.ts";

/** The state that the files of a check are compared with. */
export type Changes =
  /** The index from HEAD: what the next commit changes. */
  | { kind: "staged" }
  /** The work tree from HEAD, untracked files included. */
  | { kind: "changed" }
  /** The work tree from the merge base of HEAD and a revision, untracked files included. */
  | { kind: "since"; revision: string };

/** A file of the index. */
export interface StagedFile extends Pick<IndexEntry, "path" | "mode" | "blob"> {
  /** The content in the commit. */
  before: Version;
}

/** Lists the files whose index entry differs from HEAD; relative to the folder. @throws GitError */
export async function listStaged(repository: Repository, folder: string): Promise<StagedFile[]> {
  return compareIndex(repository, folder, { kind: "staged" });
}

export interface ChangedFiles {
  paths: string[];
  /** Other repositories that changed. */
  submodules: string[];
  links: string[];
  /** The old versions of the tracked ones. */
  before: ReadonlyMap<string, Version>;
}

/**
 * Lists the files of the work tree that differ from HEAD or from a merge base, and those that Git does not track; relative to
 * the folder. Git lists the index and the commit; the work tree is read and compared here.
 * @param concerns Reports whether it matters that a path has changed; one that does not is not compared.
 * @throws GitError
 */
export async function listChanged(
  repository: Repository,
  folder: string,
  changes: Exclude<Changes, { kind: "staged" }>,
  concerns: (path: string) => boolean,
): Promise<ChangedFiles> {
  const [differences, files] = await Promise.all([
    compareIndex(repository, folder, changes),
    listFiles(repository, folder),
  ]);
  const before = new Map(differences.map((one) => [one.path, one.before]));
  const comparison = openComparison(repository, folder);
  const submodules = new Set(files.untracked.repositories);
  const compared = new Map<string, Version>();
  for (const { path, mode, blob, stage } of files.tracked) {
    if (mode === "160000") {
      // Its own commit is not looked at.
      if (before.has(path)) submodules.add(path);
    } else if (mode === "120000" || concerns(path)) {
      // Both sides of a conflict are new.
      const base = stage === 0 ? (before.get(path) ?? { mode, blob }) : { mode: absent, blob };
      compared.set(path, base);
      comparison.add(path, base);
    }
  }
  const changed = await comparison.finish();
  return {
    paths: [...changed.paths, ...files.untracked.paths],
    submodules: [...submodules],
    links: [...changed.links],
    before: compared,
  };
}

/** Lists the entries of the index that differ from a commit. @throws GitError */
async function compareIndex(repository: Repository, folder: string, changes: Changes): Promise<StagedFile[]> {
  const words = (from: string, ...options: readonly string[]) => [
    "diff-index",
    "--cached",
    "--ita-visible-in-index",
    "-z",
    "--raw",
    "--relative",
    "--no-renames",
    "--no-abbrev",
    "--diff-filter=d",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=dirty",
    ...options,
    "--end-of-options",
    from,
    "--",
  ];
  let output: Buffer;
  if (changes.kind === "since") {
    output = await runGit(repository, folder, words(changes.revision, "--merge-base")).catch(
      (error: unknown) => {
        throw error instanceof GitError ? explain(error, changes.revision) : error;
      },
    );
  } else {
    try {
      output = await runGit(repository, folder, words("HEAD"));
    } catch (error) {
      if (!(error instanceof GitError) || !/\bHEAD\b/.test(error.message)) throw error;
      // Before the first commit there is no HEAD, and all files differ from the empty tree.
      const empty = await runGit(repository, folder, ["hash-object", "-t", "tree", "--stdin"]);
      output = await runGit(repository, folder, words(empty.toString("latin1").trim()));
    }
  }
  const entries: StagedFile[] = [];
  const parts = splitNul(output);
  for (const head of parts) {
    const [before = "", mode = "", from = "", blob = ""] = head.toString("latin1", 1).split(" ");
    const { value } = parts.next();
    if (value === undefined) break;
    entries.push({
      path: requireTrackable(decodeFileName(value)),
      mode,
      blob,
      before: { mode: before, blob: from },
    });
  }
  return entries;
}

function explain(error: GitError, revision: string): GitError {
  const { message } = error;
  if (/no merge base|multiple merge bases/.test(message))
    return new GitError(
      `${revision} and HEAD have no single commit in common that this clone has. In a shallow clone, fetch more of the history: git fetch --unshallow`,
      { usage: true },
    );
  if (/ambiguous argument|bad revision|unknown revision|not a valid object name|bad object/i.test(message))
    return new GitError(
      `${revision} is no revision of this repository. A clone of a CI job may lack it: git fetch origin ${revision}`,
      {
        usage: true,
      },
    );
  return error;
}
