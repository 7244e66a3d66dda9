import { lstatSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { encodeFileName, showFileName } from "../../lib/file-name.ts";
import { createByteReader, type ByteReader } from "./byte-reader.ts";
import type { Repository } from "./environment.ts";
import { GitError, type GitProcess, startGit } from "./run-git.ts";

export interface IgnoreRules {
  /** Reports which of these paths are ignored; they are relative to the folder, and not tracked. @throws GitError */
  ask(paths: readonly string[]): Promise<boolean[]>;
  close(): void;
}

/** Asks Git which paths it ignores: one process, which the first question starts, answers all. */
export function openIgnoreRules(repository: Repository, folder: string): IgnoreRules {
  let git: GitProcess | undefined;
  let reader: ByteReader | undefined;
  const inside = relative(repository.root, folder);
  const known = new Set<string>();

  return {
    async ask(paths) {
      if (paths.length === 0) return [];
      for (const path of paths) requireRegular(repository.root, join(inside, path), ".gitignore", known);
      git ??= startGit(repository, folder, ["check-ignore", "--stdin", "-z", "-v", "-n", "--no-index"]);
      reader ??= createByteReader(git.output);
      // A colon at the start would be magic.
      for (const path of paths) git.write(Buffer.concat([Buffer.from(encodeFileName(`./${path}`)), nul]));
      const ignored: boolean[] = [];
      for (const _ of paths) {
        // Source, line, pattern and path. A pattern with ! takes a path out again.
        const [, , pattern] = [await reader.until(0), await reader.until(0), await reader.until(0)];
        await reader.until(0);
        ignored.push(pattern !== undefined && pattern.length > 0 && pattern[0] !== 0x21);
      }
      return ignored;
    },
    close: () => git?.kill(),
  };
}

/**
 * Requires that Git can read a file of rules in the folders of a path, relative to the root, without waiting for ever, as for a
 * pipe. It opens no link.
 * @param known Folders that were looked at before.
 * @throws GitError
 */
export function requireRegular(root: string, path: string, name: string, known: Set<string>): void {
  for (let one = dirname(path); !known.has(one); one = dirname(one)) {
    known.add(one);
    const found = lstatSync(encodeFileName(join(root, one, name)), { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile() && !found.isSymbolicLink() && !found.isDirectory())
      throw new GitError(
        `${showFileName(join(one, name))} is no regular file, so Git is not asked about it.`,
        {
          usage: true,
        },
      );
  }
}

const nul = Uint8Array.of(0);
