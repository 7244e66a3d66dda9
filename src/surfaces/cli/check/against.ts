import { join, relative, resolve } from "node:path";
import type { CatalogTool } from "../../../catalog/catalog.ts";
import type { ChecksEntry, ChecksFile } from "../../../checks/checks-file.ts";
import { openCommitFiles } from "../../../checks/commit-files.ts";
import type { FileAccess } from "../../../checks/files.ts";
import type { Repository } from "../../../checks/git/environment.ts";
import { isInside } from "../../../checks/inside.ts";
import { type OldVersions, toRemoved } from "../../../checks/old-version.ts";
import { createFilters } from "../../../checks/path-filter.ts";
import type { CheckedFile } from "../../../checks/verdict.ts";
import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";

/** The files of the commit of `--against`. */
export interface CommitVersions extends OldVersions {
  /** Absolute. */
  paths(): string[];
  close(): void;
}

/**
 * Opens the commit of `--against`; undefined without that option. Git lists names and reads objects, and nothing else.
 * @throws ToolError if there is no repository, GitError if the clone has no such commit
 */
export async function openVersions(
  revision: string | undefined,
  repository: Repository | undefined,
  { files }: Host,
): Promise<CommitVersions | undefined> {
  if (revision === undefined) return undefined;
  const commit = await openCommitFiles(repository, revision, "to compare with");
  return {
    revision: commit.revision,
    read: (name) => commit.readVersion(resolve(files.cwd, name)),
    paths: commit.paths,
    close: commit.close,
  };
}

/** @throws ToolError if the tool does not compare versions */
export function refuseAgainst(tool: CatalogTool, revision: string | undefined): void {
  if (revision !== undefined && tool.against === undefined)
    throw usageError(`${tool.slug} does not compare versions of a file; leave out --against.`);
}

/**
 * Gives entries that compare versions their commit. Without one they are left out: a list is for every run, and only some have a
 * commit to compare with.
 * @throws ToolError if nothing else is asked for
 */
export function attachVersions(
  entries: readonly ChecksEntry[],
  versions: OldVersions | undefined,
): readonly ChecksEntry[] {
  if (versions !== undefined)
    return entries.map((entry) => (entry.needsVersion === true ? { ...entry, against: versions } : entry));
  const others = entries.filter(({ needsVersion }) => needsVersion !== true);
  if (others.length === 0 && entries.length > 0)
    throw usageError(
      "These checks compare files with their old versions. Name the commit: --against REF, such as --against origin/main",
    );
  return others;
}

interface RemovedDeps {
  file: ChecksFile;
  /** The folder of the patterns, absolute. */
  folder: string;
  files: FileAccess;
  toName(path: string): string;
}

/** Finds files that the commit has and the work tree has not, for each entry that compares versions. */
export function findRemoved(
  entries: readonly ChecksEntry[],
  { revision, paths }: CommitVersions,
  { file, folder, files, toName }: RemovedDeps,
): CheckedFile[] {
  const comparing = entries.filter(({ against }) => against !== undefined);
  if (comparing.length === 0) return [];
  const selecting = createFilters(comparing.map(({ patterns }) => patterns));
  return paths()
    .filter((path) => isInside(folder, path))
    .map((path) => relative(folder, path))
    .toSorted()
    .filter((path) => !file.excludes(path))
    .flatMap((path) => {
      const selected = selecting(path);
      if (selected.length === 0 || isThere(path, folder, files)) return [];
      return selected.map((index) => toRemoved(toName(path), comparing[index] as ChecksEntry, revision));
    });
}

/** A link in the place of a file, or of a folder above it, is not the file: links are not followed. */
function isThere(path: string, folder: string, files: FileAccess): boolean {
  const full = join(folder, path);
  if (files.realPath(full) !== join(files.realPath(folder), path)) return false;
  try {
    return typeof files.readRegular(full, 0) !== "string";
  } catch {
    // A file that cannot be read is reported by its check.
    return true;
  }
}
