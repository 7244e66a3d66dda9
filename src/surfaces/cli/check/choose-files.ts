import { join, relative } from "node:path";
import { ToolError } from "../../../catalog/errors.ts";
import { type Check, type ReadFile, toUnread } from "../../../checks/check-files.ts";
import type { Repository } from "../../../checks/git/environment.ts";
import { createIgnoreTest } from "../../../checks/ignore-test.ts";
import { createLeftOutCount } from "../../../checks/left-out.ts";
import { isInside } from "../../../checks/inside.ts";
import { limitOf, toFile } from "../../../checks/plan.ts";
import { type FileRequest, selectFiles } from "../../../checks/select-files.ts";
import type { Host } from "../host.ts";
import { MachineError } from "../machine-error.ts";
import { readDocument } from "../read-document.ts";
import { writeWarning } from "../write-warning.ts";
import { expandPatterns, hasWildcards } from "./expand-patterns.ts";
import type { ChecksRun } from "./run-checks.ts";

export interface ChosenFiles extends Pick<ChecksRun, "files" | "unread" | "leftOut"> {
  close(): void;
}

export interface ChooseDeps {
  /** The checks of every file. */
  checks: readonly Check[];
  includeIgnored: boolean;
  repository: Repository | undefined;
  host: Host;
}

/** Finds the files that a command with one tool checks. @throws ToolError for a malformed pattern; GitError */
export async function chooseFiles(request: FileRequest, deps: ChooseDeps): Promise<ChosenFiles> {
  if (request.changes !== undefined) return chooseChanges(request, deps);
  const { checks, host } = deps;
  const isIgnored = await openIgnoreTest(request.words, deps);
  const tree = deps.repository?.root ?? host.files.cwd;
  const { names, unread, leftOut } = await expandPatterns({ ...request, isIgnored, tree }, host);
  return {
    files: names.map((name) => ({ name, checks, read: () => readNamed(name, checks, host) })),
    unread: unread.map(({ name, message, rule }) => toUnread(name, message, rule)),
    leftOut: () => leftOut,
    close: () => undefined,
  };
}

async function chooseChanges(
  request: FileRequest,
  { checks, repository, host }: ChooseDeps,
): Promise<ChosenFiles> {
  const { files } = host;
  const folder = repository?.root ?? files.cwd;
  const leftOut = createLeftOutCount();
  const warn = (message: string) => writeWarning(message, host);
  const deps = { folder, repository, enterIgnored: false, files, leftOut, warn };
  const { source, unread } = await selectFiles(request, deps);
  const limit = limitOf(checks);
  const chosen = source.paths.map((path) =>
    toFile(source, path, relative(files.cwd, join(folder, path)), { checks, limit }),
  );
  return { files: chosen, unread, leftOut: leftOut.all, close: source.close };
}

/** Returns a test of absolute paths without links. Only a pattern finds files that nobody named. */
async function openIgnoreTest(
  words: readonly string[],
  { includeIgnored, repository, host: { files } }: ChooseDeps,
): Promise<(path: string) => boolean> {
  if (includeIgnored || !words.some(hasWildcards)) return () => false;
  const folder = repository?.root ?? files.cwd;
  const top = files.realPath(folder);
  const test = await createIgnoreTest(folder, repository, files);
  return (path) => path !== top && isInside(top, path) && test(relative(top, path));
}

async function readNamed(name: string, checks: readonly Check[], host: Host): Promise<ReadFile> {
  try {
    const { bytes } = await readDocument(name, host, limitOf(checks));
    return { bytes };
  } catch (error) {
    if (error instanceof MachineError) return { unread: error.message, failed: true };
    if (error instanceof ToolError) return { unread: error.message };
    throw error;
  }
}
