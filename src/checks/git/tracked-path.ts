import { isDotGit } from "../../lib/dot-git.ts";
import { showFileName } from "../../lib/file-name.ts";
import { GitError } from "./run-git.ts";

/**
 * Returns a path of the index or of a tree. Git refuses to add one that leads into `.git` or out of the work tree, but reads it
 * from an index that somebody else has written.
 * @throws GitError
 */
export function requireTrackable(path: string): string {
  if (
    suspicious.test(path) &&
    path.split("/").some((part) => part === "" || part === "." || part === ".." || isDotGit(part))
  )
    throw new GitError(`The repository has a file ${showFileName(path)}, which no work tree may have.`, {
      usage: true,
    });
  return path;
}

/** Most paths have neither, and there may be a hundred thousand of them. */
const suspicious = /^$|^\/|\/$|\/\/|(?:^|\/)\.|git|[^ -~]/i;
