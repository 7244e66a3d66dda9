import { join, relative } from "node:path";
import { ToolError } from "../catalog/errors.ts";
import { toText } from "../catalog/text.ts";
import { maxText } from "../catalog/tool.ts";
import { showFileName } from "../lib/file-name.ts";
import { openCommit } from "./git/open-commit.ts";
import type { Repository } from "./git/environment.ts";
import { isInside } from "./inside.ts";

/**
 * The files of a commit that is trusted more than the work tree, which may be the pull request of a stranger. Paths are absolute,
 * as if the commit were checked out.
 */
export interface CommitFiles {
  /** The commit, as the caller named it. */
  readonly revision: string;
  /** Reports whether there is such a file. */
  has(path: string): Promise<boolean>;
  /** @param shown The name in messages. @throws ToolError invalid_input if it cannot be read; GitError */
  readText(path: string, shown: string): Promise<string>;
  /** Reports whether a path is one of the repository, so that only the commit says what is there. */
  concerns(path: string): boolean;
  /** Returns the text of a file of that very name; undefined if there is none. @throws GitError */
  readBefore(path: string): Promise<string | undefined>;
  /** Returns the bytes of a file of that very name; its size if they are too many; undefined if there is none. @throws GitError */
  readVersion(path: string): Promise<Uint8Array | { size: number } | undefined>;
  /** The paths of its files, absolute. */
  paths(): string[];
  close(): void;
}

/** @param purpose Ends the sentence that there is no commit. @throws ToolError if there is no repository, GitError if the clone has no such commit */
export async function openCommitFiles(
  repository: Repository | undefined,
  revision: string,
  purpose = "to take the checks from",
): Promise<CommitFiles> {
  if (repository === undefined)
    throw new ToolError(
      "invalid_input",
      `This folder is in no Git repository, so there is no commit ${purpose}.`,
    );
  const commit = await openCommit(repository, revision);
  const { root } = repository;
  const readVersion = async (path: string) =>
    isInside(root, path) ? commit.readPlain(relative(root, path), maxText) : undefined;
  const where = showFileName(revision);
  return {
    revision: where,
    has: async (path) => isInside(root, path) && commit.has(relative(root, path)),
    async readText(path, shown) {
      const found = isInside(root, path) ? await commit.read(relative(root, path), maxText) : "outside";
      const refuse = (reason: string) =>
        new ToolError("invalid_input", `${shown} cannot be read from ${where}: ${reason}`);
      if (found === "missing") throw refuse("there is no such file");
      if (found === "outside") throw refuse(`it is outside of ${showFileName(root)}`);
      if (!(found instanceof Uint8Array)) throw refuse(`it is too large: it has ${found.size} bytes.`);
      return toText(found, "invalid_input", shown);
    },
    concerns: (path) => isInside(root, path),
    async readBefore(path) {
      const found = await readVersion(path);
      if (!(found instanceof Uint8Array)) return undefined;
      return Buffer.from(found.buffer, found.byteOffset, found.length).toString();
    },
    readVersion,
    paths: () => commit.paths().map((path) => join(root, path)),
    close: commit.close,
  };
}
