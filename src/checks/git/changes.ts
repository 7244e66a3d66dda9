import { createHash } from "node:crypto";
import { decodeFileName } from "../../lib/file-name.ts";
import { GitError, type Repository, runGit, splitNul } from "./run-git.ts";

/** What the files of a check differ from. */
export type Changes =
  /** The index from HEAD: what the next commit changes. */
  | { kind: "staged" }
  /** The work tree from HEAD, untracked files included. */
  | { kind: "changed" }
  /** The work tree from the merge base of HEAD and a revision, untracked files included. */
  | { kind: "since"; revision: string };

/** A file of the index. */
export interface StagedFile {
  path: string;
  /** `100644`, `120000`, `160000` and the like. */
  mode: string;
  /** The name of its blob. */
  blob: string;
}

/** Lists the files whose index entry differs from HEAD; relative to the folder. @throws GitError */
export async function listStaged(repository: Repository, folder: string): Promise<StagedFile[]> {
  const entries = await diff(repository, folder, ["--cached"], "HEAD");
  return entries.map(({ path, mode, blob }) => ({ path, mode, blob }));
}

export interface ChangedFiles {
  paths: string[];
  /** Other repositories that changed. */
  submodules: string[];
  links: string[];
}

/**
 * Lists the files of the work tree that differ from HEAD or from a merge base, and those that Git does not track; relative to
 * the folder.
 * @param read Returns the bytes of a file; undefined if it is none or too large.
 * @throws GitError
 */
export async function listChanged(
  repository: Repository,
  folder: string,
  changes: Exclude<Changes, { kind: "staged" }>,
  read: (path: string) => Uint8Array | undefined,
): Promise<ChangedFiles> {
  const [entries, others] = await Promise.all([
    switchOffFilters(repository, folder).then((safe) =>
      changes.kind === "since"
        ? diff(safe, folder, ["--merge-base"], changes.revision)
        : diff(safe, folder, [], "HEAD"),
    ),
    runGit(repository, folder, ["ls-files", "-z", "-o", "--exclude-standard"]),
  ]);
  const paths = new Set<string>();
  const submodules: string[] = [];
  const links: string[] = [];
  for (const entry of entries) {
    if (entry.mode === "160000") submodules.push(entry.path);
    else if (entry.mode === "120000") links.push(entry.path);
    else if (hasChanged(entry, read)) paths.add(entry.path);
  }
  for (const bytes of splitNul(others)) {
    const path = decodeFileName(bytes);
    if (path.endsWith("/")) submodules.push(path.slice(0, -1));
    else paths.add(path);
  }
  return { paths: [...paths], submodules, links };
}

/**
 * Git reads a file that was written at the time of the index, and passes it through the filter that its attributes name: a
 * program of the repository's configuration, if it is hostile. No option switches filters off, so each is set to nothing.
 */
async function switchOffFilters(repository: Repository, folder: string): Promise<Repository> {
  const names = new Set<string>();
  for (const name of splitNul(await runGit(repository, folder, ["config", "-z", "--list", "--name-only"]))) {
    const [, driver] = /^(filter\..+)\.[^.]+$/s.exec(name.toString()) ?? [];
    if (driver !== undefined) names.add(driver);
  }
  const env: Record<string, string | undefined> = { ...repository.env };
  let count = Number(env["GIT_CONFIG_COUNT"] ?? 0);
  for (const driver of names) {
    for (const [variable, value] of [
      ["clean", ""],
      ["smudge", ""],
      ["process", ""],
      ["required", "false"],
    ] as const) {
      env[`GIT_CONFIG_KEY_${count}`] = `${driver}.${variable}`;
      env[`GIT_CONFIG_VALUE_${count++}`] = value;
    }
  }
  return { ...repository, env: { ...env, GIT_CONFIG_COUNT: String(count) } };
}

interface Entry extends StagedFile {
  before: { mode: string; blob: string };
}

async function diff(
  repository: Repository,
  folder: string,
  options: readonly string[],
  revision: string,
): Promise<Entry[]> {
  const words = (from: string) => [
    "diff-index",
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
  try {
    output = await runGit(repository, folder, words(revision));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (revision !== "HEAD") throw explain(error, revision);
    if (!/\bHEAD\b/.test(error.message)) throw error;
    // Before the first commit there is no HEAD, and all files differ from the empty tree.
    const empty = await runGit(repository, folder, ["hash-object", "-t", "tree", "--stdin"]);
    output = await runGit(repository, folder, words(empty.toString("latin1").trim()));
  }
  const entries: Entry[] = [];
  const parts = splitNul(output);
  for (const head of parts) {
    const [before = "", mode = "", from = "", blob = ""] = head.toString("latin1", 1).split(" ");
    const { value } = parts.next();
    if (value === undefined) break;
    entries.push({ path: decodeFileName(value), mode, blob, before: { mode: before, blob: from } });
  }
  return entries;
}

/**
 * Git reports a file without a blob when its time or size differ from those in the index, as they do after a checkout into a
 * container. Git would compare the contents through the filters that the repository configures, which are programs. So the
 * contents are compared here, as they are; a file that a filter has changed counts as changed.
 */
function hasChanged(
  { path, mode, blob, before }: Entry,
  read: (path: string) => Uint8Array | undefined,
): boolean {
  if (!/^0+$/.test(blob) || mode !== before.mode) return true;
  const bytes = read(path);
  if (bytes === undefined) return true;
  const hash = createHash(before.blob.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex") !== before.blob;
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
