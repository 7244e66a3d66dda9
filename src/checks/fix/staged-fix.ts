import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { basename, join, relative, resolve } from "node:path";
import { encodeFileName, showFileName } from "../../lib/file-name.ts";
import { codeOf } from "../../lib/system-error.ts";
import { followLinks } from "../follow-links.ts";
import { indexOf, realPath, type Repository } from "../git/environment.ts";
import { readIndex } from "../git/list-files.ts";
import { GitError, runGit, startGit } from "../git/run-git.ts";
import type { FixTarget } from "./fixer.ts";
import { LeftError } from "./left-error.ts";
import { type Replacement, replaceFile } from "./replace-file.ts";
import type { Runtime } from "../../runtime.ts";

export interface StagedFixes extends FixTarget {
  /** Adds the fixed files to the index. If that fails, they are as they were before. @throws GitError */
  finish(): Promise<void>;
}

export interface StagedFixOptions {
  repository: Repository;
  /** Names of files are relative to it, absolute. */
  cwd: string;
  runtime: Runtime;
}

interface Fix {
  /** Relative to the root of the repository. */
  path: string;
  /** The blobs of the index: as it was, and fixed. */
  from: string;
  to: string;
  /** Takes the change of the work tree back. */
  undo: Replacement;
}

/** Attempts to lock the index, one every 100 ms: an editor that looks at the status has it for some milliseconds. */
const attempts = 15;

/**
 * Fixes files in the index and in the work tree alike. A file is fixed only if both have the same content, and what is added is
 * the fixed content itself: a change that somebody saves meanwhile is not staged, and no filter of the repository runs.
 * @throws GitError if the index is locked, or is the temporary one of `git commit PATH`
 */
export async function openStagedFixes({ repository, cwd, runtime }: StagedFixOptions): Promise<StagedFixes> {
  const { root } = repository;
  const git = (...words: readonly string[]) => runGit(repository, root, words);
  const index = indexOf(repository);
  if (existsSync(encodeFileName(`${index}.lock`))) throw locked(index);
  // The commit replaces the real index with one that it made before the hook ran, so the fix would be undone in the next.
  if (/^next-index-\d+\.lock$/.test(basename(index)))
    throw new GitError(
      "git commit with names of files gives hooks a temporary index, in which nothing can be fixed. Stage the files with git add, and commit without names.",
      { usage: true },
    );
  const fixes: Fix[] = [];
  /** The hash function of the repository. */
  const algorithm = (await git("rev-parse", "--show-object-format")).toString().trim();
  const nameBlob = (bytes: Uint8Array): string =>
    createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

  /** Runs a command of Git with this input. */
  async function feed(bytes: Uint8Array, ...words: readonly string[]): Promise<Buffer> {
    const command = startGit(repository, root, words);
    command.write(bytes);
    command.end();
    const pieces: Uint8Array[] = [];
    for await (const piece of command.output) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Returns the entries of the index by path; a conflict has none. */
  async function readEntries(): Promise<Map<string, { mode: string; blob: string }>> {
    const entries = (await readIndex(repository, root)).filter(({ stage }) => stage === 0);
    return new Map(entries.map(({ path, mode, blob }) => [path, { mode, blob }]));
  }

  return {
    async write({ name }, before, after) {
      const path = resolve(cwd, name);
      const present = readPresent(path, root);
      if (Buffer.compare(present, before) !== 0) throw new LeftError(explainDifference(present, before));
      const to = (await feed(after, "hash-object", "-w", "--no-filters", "--stdin")).toString().trim();
      const replacement = { path, trees: [root], runtime } satisfies Partial<Replacement>;
      await replaceFile({ ...replacement, before, after });
      const undo = { ...replacement, before: after, after: before };
      fixes.push({ path: relative(root, path), from: nameBlob(before), to, undo });
    },
    async finish() {
      if (fixes.length === 0) return;
      try {
        const entries = await readEntries();
        const lines = fixes.map(({ path, from, to }) => {
          const entry = entries.get(path);
          if (entry?.blob !== from)
            throw new GitError("The index has changed since it was read.", { usage: true });
          return Buffer.concat([
            Buffer.from(`${entry.mode} ${to} 0\t`),
            Buffer.from(encodeFileName(path)),
            nul,
          ]);
        });
        await updateIndex(Buffer.concat(lines));
      } catch (error) {
        const outcome = await undoAll(fixes);
        if (!(error instanceof GitError)) throw error;
        throw isLocked(error) ? locked(index, outcome) : new GitError(`${error.message} ${outcome}`, error);
      }
    },
  };

  async function updateIndex(lines: Uint8Array): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await feed(lines, "update-index", "-z", "--index-info");
        return;
      } catch (error) {
        if (attempt === attempts || !isLocked(error)) throw error;
        await setTimeout(100);
      }
    }
  }
}

/** Takes the changes of the work tree back, and describes what that leaves. */
async function undoAll(fixes: readonly Fix[]): Promise<string> {
  const kept: string[] = [];
  for (const { path, undo } of fixes) {
    try {
      await replaceFile(undo);
    } catch {
      // Somebody has changed it since, or the disk is full: it stays as it is.
      kept.push(showFileName(path));
    }
  }
  return kept.length === 0 ? nothing : `Fixed, but not added to the index: ${kept.join(", ")}`;
}

const nothing = "Nothing was fixed.";

const nul = Uint8Array.of(0);

/** Reads a file under its own name: a folder on the way, or the file itself, may have become a link, or a pipe. */
function readPresent(path: string, root: string): Uint8Array {
  if (followLinks(path) !== join(realPath(root), relative(root, path)))
    throw new LeftError("it is a link now");
  try {
    const file = openSync(
      encodeFileName(path),
      constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW,
    );
    try {
      if (!fstatSync(file).isFile()) throw new LeftError("it is no regular file");
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw new LeftError("it is not in the work tree");
    throw error;
  }
}

function explainDifference(present: Uint8Array, staged: Uint8Array): string {
  const lines = Buffer.from(present).toString("latin1").replaceAll("\r\n", "\n");
  if (lines === Buffer.from(staged).toString("latin1"))
    return "Git stores it with other line ends than it has in the work tree";
  return "it has changes that are not staged; stage or stash them first";
}

const isLocked = (error: unknown): boolean =>
  error instanceof GitError && /index\.lock|\.lock': File exists/.test(error.message);

const locked = (index: string, outcome = nothing): GitError =>
  new GitError(
    `The index of Git is locked by ${index}.lock: another git process is at work, or one was killed. ${outcome}`,
  );
