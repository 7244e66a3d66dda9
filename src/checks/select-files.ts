import { append } from "../lib/append.ts";
import { join, relative } from "node:path";
import { ToolError } from "../catalog/errors.ts";
import { OptionFault } from "../lib/fault.ts";
import { showFileName } from "../lib/file-name.ts";
import { createPathMatcher } from "../lib/glob/match-path.ts";
import { toUnread } from "./check-files.ts";
import type { FileAccess } from "./files.ts";
import type { Repository } from "./git/environment.ts";
import { openBaseVersions } from "./git/base-versions.ts";
import { type Changes, listChanged, listStaged } from "./git/changes.ts";
import type { Version } from "./git/compare.ts";
import { createIndexSource } from "./git/index-source.ts";
import { isInside } from "./inside.ts";
import { listTree, type TreeDeps } from "./list-tree.ts";
import type { FileSource } from "./source.ts";
import type { CheckedFile } from "./verdict.ts";
import type { ListedFiles } from "./walk.ts";
import { createWorkTree } from "./work-tree.ts";

/** The names and filters that select the files of a check. */
export interface FileRequest {
  /** Names, folders and patterns, relative to the current folder; empty for all files. */
  words: readonly string[];
  /** Names from a list; none of them is a pattern. */
  names?: readonly string[];
  /** Files that differ from another state of the repository. */
  changes?: Changes;
}

export interface SelectedFiles {
  source: FileSource;
  /** Words that select no file, and folders that cannot be read. */
  unread: CheckedFile[];
  /** Whether the request is for all files, so that a check without a file is worth a warning. */
  all: boolean;
  /** Whether the request is for names alone. */
  named: boolean;
}

export interface SelectDeps extends TreeDeps {
  /** Reports whether a path has a check at all; without it, each may have one. */
  concerns?(path: string): boolean;
}

/**
 * Finds the files of a request below a folder. A file that is named is selected even if Git ignores it; folders and patterns
 * select among the files of the repository.
 * @throws ToolError for a malformed pattern, or if there is no repository; GitError
 */
export async function selectFiles(request: FileRequest, deps: SelectDeps): Promise<SelectedFiles> {
  const { words, changes } = request;
  if (changes?.kind === "staged") {
    const { folder, leftOut } = deps;
    const repository = repositoryOf(deps);
    const entries = await listStaged(repository, folder);
    const staged = createIndexSource(repository, entries, leftOut);
    const { chosen, unread } = choose(staged.paths, words, deps);
    const versions = new Map(entries.map(({ path, before }) => [path, before]));
    const source = withBefore({ ...staged, paths: chosen }, repository, versions);
    return { source, unread, all: false, named: false };
  }
  const single = changes === undefined ? words.filter((word) => isName(word, deps.files)) : [];
  const others = words.filter((word) => !single.includes(word));
  const found = [...single, ...(request.names ?? [])].map((word) => findNamed(word, deps));
  const paths = new Set(found.filter((one) => typeof one === "string"));
  const unread = found.filter((one) => typeof one !== "string");
  const all = words.length === 0 && request.names === undefined;
  let ignored: readonly string[] = [];
  let versions: ReadonlyMap<string, Version> | undefined;
  if (all || changes !== undefined || others.length > 0) {
    const listed: ChangedTree =
      changes === undefined ? await listTree(deps) : await listChangedFiles(changes, others, deps);
    versions = listed.before;
    for (const { name, message } of listed.unread) unread.push(toUnread(name, message, "unreadable"));
    ignored = listed.ignored.filter((path) => !paths.has(path));
    const matching = choose([...listed.paths, ...ignored], others, deps);
    for (const path of matching.chosen) paths.add(path);
    append(unread, matching.unread);
  }
  const tree = createWorkTree({ ...deps, paths: [...paths].toSorted(), ignored: new Set(ignored) });
  return {
    source: versions === undefined ? tree : withBefore(tree, repositoryOf(deps), versions),
    unread,
    all: all && changes === undefined,
    named: found.length > 0 && others.length === 0,
  };
}

/** The files of a tree, and of those that changed what they were before. */
interface ChangedTree extends ListedFiles {
  before?: ReadonlyMap<string, Version>;
}

/** Adds what the files were before a change. */
function withBefore(
  source: FileSource,
  repository: Repository,
  versions: ReadonlyMap<string, Version>,
): FileSource {
  const base = openBaseVersions(repository, versions);
  return {
    ...source,
    before: (path, { bytes }) => base.read(path, bytes),
    close() {
      source.close();
      base.close();
    },
  };
}

/** @throws ToolError if there is none. */
function repositoryOf({ folder, repository }: SelectDeps): Repository {
  if (repository !== undefined) return repository;
  throw new ToolError(
    "invalid_input",
    `${showFileName(folder)} is in no Git repository, so it has no changes.`,
  );
}

/** Whether a word is a name: a file, or no pattern and nothing at all. */
function isName(word: string, files: FileAccess): boolean {
  const kind = files.stat(word)?.kind;
  return kind === "file" || (kind === undefined && !/[*?[{]/.test(word));
}

/** The path of a named file in the folder, after links. */
function findNamed(word: string, { folder, files }: SelectDeps): string | CheckedFile {
  const shown = showFileName(word);
  if (word === "-")
    return toUnread(
      word,
      "Standard input has no name to choose its checks by; name a tool: penknife check TOOL -",
      "unreadable",
    );
  if (word === "" || files.stat(word) === undefined)
    return toUnread(
      word,
      `${word === "" ? "An empty name" : shown} cannot be read: there is no such file`,
      "unreadable",
    );
  if (files.stat(word)?.kind === "folder") return toUnread(word, `${shown} is a folder.`, "unreadable");
  const root = files.realPath(folder);
  const path = files.realPath(word);
  if (isInside(root, path)) return relative(root, path);
  return toUnread(
    word,
    `${shown} is outside of ${showFileName(folder)}, whose files are checked.`,
    "unreadable",
  );
}

/** Chooses the paths that folders and patterns of the current folder select; all if there are none. */
function choose(
  paths: readonly string[],
  words: readonly string[],
  deps: SelectDeps,
): { chosen: readonly string[]; unread: CheckedFile[] } {
  if (words.length === 0) return { chosen: paths, unread: [] };
  const chosen = new Set<string>();
  const unread: CheckedFile[] = [];
  for (const { word, matches } of toMatchers(words, deps)) {
    const found = paths.filter(matches);
    for (const path of found) chosen.add(path);
    if (found.length === 0) unread.push(toUnread(word, `No file matches ${showFileName(word)}`, "no-match"));
  }
  return { chosen: paths.filter((path) => chosen.has(path)), unread };
}

function toMatchers(
  words: readonly string[],
  { folder, files }: SelectDeps,
): { word: string; matches(path: string): boolean }[] {
  const prefix = relative(folder, files.cwd);
  return words.map((word) => ({
    word,
    matches: toMatcher(join(prefix, word), files.stat(word)?.kind === "folder"),
  }));
}

function toMatcher(pattern: string, isFolder: boolean): (path: string) => boolean {
  const plain = pattern.replace(/\/$/, "");
  if (isFolder) return (path) => plain === "." || path.startsWith(`${plain}/`);
  try {
    const matches = createPathMatcher(pattern);
    // A name may look like a pattern.
    return (path) => path === plain || matches(path);
  } catch (error) {
    if (!(error instanceof OptionFault)) throw error;
    throw new ToolError("invalid_input", `${showFileName(pattern)} is no pattern: ${error.message}`);
  }
}

async function listChangedFiles(
  changes: Exclude<Changes, { kind: "staged" }>,
  words: readonly string[],
  deps: SelectDeps,
): Promise<ChangedTree> {
  const { folder, leftOut } = deps;
  const matchers = toMatchers(words, deps).map(({ matches }) => matches);
  const concerns = (path: string): boolean =>
    words.length === 0 ? (deps.concerns?.(path) ?? true) : matchers.some((matches) => matches(path));
  const changed = await listChanged(repositoryOf(deps), folder, changes, concerns);
  for (const name of changed.submodules) leftOut.add("submodule", name);
  for (const name of changed.links) leftOut.add("link", name);
  return { paths: changed.paths, ignored: [], unread: [], before: changed.before };
}
