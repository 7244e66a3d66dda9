import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { decodeFileName, encodeFileName, showFileName } from "../../lib/file-name.ts";
import type { FileAccess } from "../files.ts";
import { isInside } from "../inside.ts";
import { readOwnSettings, toPath } from "./own-settings.ts";
import { GitError } from "./run-git.ts";

export interface GitData {
  /** The data of the work tree, absolute. */
  gitDir: string;
  /** The data that all work trees of the repository share, absolute. */
  commonDir: string;
  settings: ReadonlyMap<string, string>;
}

/**
 * Finds the data of Git for a folder with an entry `.git`, and verifies that they belong to it: a file or a link could lead to a
 * repository of somebody else. What it leads to must lead back here, as the file `gitdir` of a linked work tree or the setting
 * `core.worktree` of a submodule does. No link in the data may lead out of them.
 * @throws GitError
 */
export function locateData(root: string, files: FileAccess): GitData {
  const entry = join(root, ".git");
  const isFolder = lstatSync(encodeFileName(entry)).isDirectory();
  const gitDir = isFolder ? entry : findTarget(root, files);
  const linked = isFolder ? undefined : readLine(join(gitDir, "gitdir"), files);
  const commonDir = linked === undefined ? gitDir : dirname(dirname(gitDir));
  if (linked !== undefined && !isWorktree(root, { gitDir, commonDir, linked }, files))
    throw foreign(root, gitDir);
  const settings = readOwnSettings({ root, gitDir, commonDir, files });
  const worktree = settings.get("core.worktree");
  if (
    !isFolder &&
    linked === undefined &&
    (worktree === undefined || !isSame(resolve(gitDir, toPath(worktree)), root, files))
  )
    throw foreign(root, gitDir);
  // Git believes this file, whatever the environment says.
  if (linked === undefined && files.readRegular(join(gitDir, "commondir"), 0) !== "missing")
    throw refuse(join(gitDir, "commondir"), "is for linked work trees, which this is not");
  const allowed = [root, gitDir, commonDir].map((one) => files.realPath(one));
  for (const folder of new Set([gitDir, commonDir])) verifyEntries(folder, allowed, files);
  return { gitDir, commonDir, settings };
}

/** Follows `.git`, which is a link to a folder, or a file that names one (gitrepository-layout(5)). */
function findTarget(root: string, files: FileAccess): string {
  const entry = join(root, ".git");
  const line = lstatSync(encodeFileName(entry)).isFile() ? readLine(entry, files) : "";
  const [, named] = /^gitdir: (.+)$/s.exec(line ?? "") ?? [];
  const target = files.realPath(named === undefined ? entry : resolve(root, named));
  if (files.stat(target)?.kind !== "folder")
    throw new GitError(`${showFileName(entry)} leads to no data of Git.`, { usage: true });
  return target;
}

function isWorktree(
  root: string,
  { gitDir, commonDir, linked }: Pick<GitData, "gitDir" | "commonDir"> & { linked: string },
  files: FileAccess,
): boolean {
  const back = resolve(gitDir, linked);
  const shared = readLine(join(gitDir, "commondir"), files);
  return (
    basename(back) === ".git" &&
    isSame(dirname(back), root, files) &&
    basename(dirname(gitDir)) === "worktrees" &&
    shared !== undefined &&
    isSame(resolve(gitDir, shared), commonDir, files)
  );
}

/** The text of a small file without the end of its line; undefined if there is none. */
function readLine(path: string, files: FileAccess): string | undefined {
  const found = files.readRegular(path, 16_384);
  if (typeof found === "string" || "size" in found) return undefined;
  return decodeFileName(found.bytes).replace(/[\r\n]+$/, "");
}

const isSame = (one: string, other: string, { realPath }: FileAccess): boolean =>
  realPath(one) === realPath(other);

const foreign = (root: string, gitDir: string): GitError =>
  new GitError(
    `${showFileName(join(root, ".git"))} leads to ${showFileName(gitDir)}, which does not lead back, so it may be the repository of somebody else. If it is yours: git worktree repair, or git -C ${showFileName(gitDir)} config core.worktree ${showFileName(root)}`,
    { usage: true },
  );

/** The files of `.git` that Git reads; the others, such as hooks and other repositories, may be anything. */
const readNames =
  /^(?:[A-Z_]+|config|config\.worktree|index.*|sharedindex\..*|next-index.*|packed-refs|shallow|commondir|gitdir)$/;
const readFolders = /^(?:info|objects|refs|logs|reftable)$/;

/** A link could have Git read anything, and a pipe would have it wait for ever. */
function verifyEntries(folder: string, allowed: readonly string[], files: FileAccess): void {
  const seen = new Set<string>();
  function verify(path: string, entry: Dirent<Buffer>): void {
    if (entry.isDirectory()) visit(path);
    else if (entry.isSymbolicLink()) verifyLink(path);
    else if (!entry.isFile()) throw refuse(path, "is no regular file");
  }
  function verifyLink(path: string): void {
    const target = files.realPath(path);
    if (!allowed.some((one) => isInside(one, target))) throw refuse(path, "is a link out of the repository");
    const found = files.stat(target);
    if (found?.kind === "folder") visit(target);
    else if (found?.regular === false) throw refuse(path, "is no regular file");
  }
  function visit(path: string): void {
    // Links may lead round in a circle.
    if (seen.has(path)) return;
    seen.add(path);
    for (const entry of list(path)) verify(join(path, decodeFileName(entry.name)), entry);
  }
  for (const entry of list(folder)) {
    const name = decodeFileName(entry.name);
    if (readFolders.test(name) || (readNames.test(name) && !entry.isDirectory()))
      verify(join(folder, name), entry);
  }
}

const list = (folder: string): Dirent<Buffer>[] =>
  readdirSync(encodeFileName(folder), { withFileTypes: true, encoding: "buffer" });

const refuse = (path: string, what: string): GitError =>
  new GitError(`${showFileName(path)} ${what}, so Git is not asked about it.`, { usage: true });
