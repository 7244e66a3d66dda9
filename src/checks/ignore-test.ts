import { join } from "node:path";
import { ToolError } from "../catalog/errors.ts";
import { DocumentFault } from "../lib/fault.ts";
import { showFileName } from "../lib/file-name.ts";
import { createIgnoreRules } from "../lib/glob/git.ts";
import { placesOf } from "../lib/places.ts";
import type { FileAccess } from "./files.ts";
import type { Repository } from "./git/environment.ts";
import { listFiles } from "./git/list-files.ts";
import { GitError } from "./git/run-git.ts";
import { decideBy } from "./walk.ts";

/** Reports whether a path is ignored; relative to the folder of the test, with slashes. */
export type IgnoreTest = (path: string) => boolean;

/**
 * Returns a test for the files below a folder: by Git in a repository, otherwise by the files `.gitignore` below that folder.
 * @throws GitError if Git refuses the repository or fails. The test throws ToolError for a malformed `.gitignore`.
 */
export async function createIgnoreTest(
  folder: string,
  repository: Repository | undefined,
  files: FileAccess,
): Promise<IgnoreTest> {
  if (repository !== undefined) {
    try {
      return await askGit(folder, repository);
    } catch (error) {
      if (!(error instanceof GitError) || !error.missing) throw error;
    }
  }
  return readGitignore(folder, files);
}

async function askGit(folder: string, repository: Repository): Promise<IgnoreTest> {
  const { paths, folders } = (await listFiles(repository, folder)).ignored;
  const ignored = new Set([...paths, ...folders]);
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
      if (ignored.has(path.slice(0, end))) return true;
    return false;
  };
}

function readGitignore(folder: string, files: FileAccess): IgnoreTest {
  const rules = new Map<string, ReturnType<typeof createIgnoreRules> | undefined>();
  const decide = decideBy((inside) => {
    if (!rules.has(inside)) {
      const text = files.readText(join(folder, inside, ".gitignore"));
      rules.set(inside, text === undefined ? undefined : parseRules(text, `${inside}.gitignore`));
    }
    return rules.get(inside);
  });
  return (path) => {
    // An ignored folder hides all that is in it.
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1))
      if (decide(path.slice(0, end + 1))) return true;
    return decide(path);
  };
}

function parseRules(text: string, name: string): ReturnType<typeof createIgnoreRules> {
  try {
    return createIgnoreRules(text);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const [place] = placesOf(text, [error.at]);
    const message = `${showFileName(name)}:${place?.line}:${place?.column}: ${error.message}`;
    throw new ToolError("invalid_input", message);
  }
}
