import { join } from "node:path";
import { decodeFileName, encodeFileName } from "../../lib/file-name.ts";
import { type Entry, listEntries } from "../list-entries.ts";
import { openIgnoreRules } from "./ignore-rules.ts";
import type { Repository } from "./environment.ts";
import { isTrue } from "./own-settings.ts";
import { runGit } from "./run-git.ts";
import { requireTrackable } from "./tracked-path.ts";

/** An entry of the index. */
export interface IndexEntry {
  path: string;
  /** `100644`, `120000`, `160000` and the like. */
  mode: string;
  /** The name of its blob. */
  blob: string;
  /** 0, or 1 to 3 for the sides of a conflict. */
  stage: number;
}

/** Paths are relative to the folder that was listed. */
export interface FolderFiles {
  /** The files that Git tracks, unless their folder is gone or a link; a conflict has an entry for each side. */
  tracked: IndexEntry[];
  /** The files that Git neither tracks nor ignores. */
  untracked: {
    /** Files and links. */
    paths: string[];
    /** Repositories in the repository, which are not entered. */
    repositories: string[];
  };
  ignored: IgnoredFiles;
}

export interface IgnoredFiles {
  paths: string[];
  /** Folders of which everything is ignored, without the slash at their end. */
  folders: string[];
}

type Kind = Entry["kind"];

/**
 * Lists the files below a folder of a repository. Git lists the index and decides what is ignored; the folders are read here,
 * because Git would look into the repositories that the files `.git` in them name.
 * @throws GitError
 */
export async function listFiles(repository: Repository, folder: string): Promise<FolderFiles> {
  const tracked = await readIndex(repository, folder);
  const toKey = keyOf(repository);
  const names = new Set(tracked.map(({ path }) => toKey(path)));
  const trackedFolders = new Set(["."]);
  for (const { path } of tracked)
    for (let one = folderOf(path); !trackedFolders.has(toKey(one)); one = folderOf(one))
      trackedFolders.add(toKey(one));
  const untracked: FolderFiles["untracked"] = { paths: [], repositories: [] };
  const ignored: IgnoredFiles = { paths: [], folders: [] };
  const rules = openIgnoreRules(repository, folder);
  /** Existing folders. Files that the index has in other folders are deleted, or behind a link. */
  const present = new Set<string>();
  try {
    for (let level = ["."]; level.length > 0;) {
      const next: string[] = [];
      const unknown: { path: string; kind: Kind }[] = [];
      for (const one of level) {
        const entries = readFolder(join(folder, one));
        if (!trackedFolders.has(toKey(one)) && isRepository(join(folder, one), entries)) {
          untracked.repositories.push(one);
          continue;
        }
        present.add(toKey(one));
        for (const [name, kind] of entries) {
          const path = one === "." ? name : `${one}/${name}`;
          if (kind === "folder" && trackedFolders.has(toKey(path))) next.push(path);
          else if (kind !== "other" && name !== ".git" && !names.has(toKey(path)))
            unknown.push({ path, kind });
        }
      }
      const verdicts = await rules.ask(unknown.map(({ path }) => path));
      for (const [at, { path, kind }] of unknown.entries()) {
        if (verdicts[at] === true) (kind === "folder" ? ignored.folders : ignored.paths).push(path);
        else if (kind === "folder") next.push(path);
        else untracked.paths.push(path);
      }
      level = next;
    }
  } finally {
    rules.close();
  }
  return { tracked: tracked.filter(({ path }) => present.has(toKey(folderOf(path)))), untracked, ignored };
}

/** Lists the index below a folder. @throws GitError */
export async function readIndex(repository: Repository, folder: string): Promise<IndexEntry[]> {
  const entries: IndexEntry[] = [];
  // Decoded at once: there may be a hundred thousand.
  const lines = decodeFileName(await runGit(repository, folder, ["ls-files", "-s", "-z"])).split("\0");
  for (const line of lines) {
    const tab = line.indexOf("\t");
    if (tab === -1) continue;
    const [mode = "", blob = "", stage] = line.slice(0, tab).split(" ");
    entries.push({ path: requireTrackable(line.slice(tab + 1)), mode, blob, stage: Number(stage) });
  }
  return entries;
}

/** Not `dirname`, which takes most of the time for a hundred thousand. */
const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0)) || ".";

/** Two spellings with one key name one file here, as Git found when it created the repository. */
function keyOf({ settings }: Repository): (path: string) => string {
  const foldsCase = isTrue(settings.get("core.ignorecase"));
  const composes = isTrue(settings.get("core.precomposeunicode"));
  if (!foldsCase && !composes) return (path) => path;
  return (path) => {
    const composed = composes ? path.normalize("NFC") : path;
    return foldsCase ? composed.toLowerCase() : composed;
  };
}

/** A folder that cannot be read is passed over, as Git does. */
function readFolder(path: string): Map<string, Kind> {
  try {
    return new Map(listEntries(encodeFileName(path)).map(({ name, kind }) => [name, kind]));
  } catch {
    return new Map();
  }
}

/** Reports whether a folder is the work tree of another repository, which nobody asks what it has. */
const isRepository = (path: string, entries: ReadonlyMap<string, Kind>): boolean =>
  entries.get(".git") === "file" ||
  (entries.get(".git") === "folder" && readFolder(join(path, ".git")).has("HEAD"));
