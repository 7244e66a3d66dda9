import { dirname, relative, resolve } from "node:path";
import type { Catalog } from "../catalog/catalog.ts";
import { ToolError } from "../catalog/errors.ts";
import { toText } from "../catalog/text.ts";
import { maxText } from "../catalog/tool.ts";
import { showFileName } from "../lib/file-name.ts";
import { reasonOf } from "../lib/system-error.ts";
import { type ChecksFile, readChecksFile } from "./checks-file.ts";
import { type CommitFiles, openCommitFiles } from "./commit-files.ts";
import type { FileAccess, RegularFile } from "./files.ts";
import { isInside } from "./inside.ts";
import type { Repository } from "./git/environment.ts";
import { openRepository } from "./git/open-repository.ts";
import { checksFileName, findChecksFile, findRoot } from "./repository.ts";

export interface OpenedChecks {
  file: ChecksFile;
  /** The list of checks and the second documents, absolute: what they say holds for other files. */
  sources: ReadonlySet<string>;
  /** The folder that the patterns are relative to, absolute. */
  folder: string;
  /** The repository that contains the folder. */
  repository: Repository | undefined;
  /** The commit that the list is from; the caller closes it. */
  from: CommitFiles | undefined;
  /** The file of known findings that the list names, absolute. */
  baseline: string | undefined;
}

export interface OpenChecksDeps {
  catalog: Catalog;
  /** Slugs that the configuration switches off. */
  disabled: readonly string[];
  files: FileAccess;
  /** The environment of this process. */
  env: Repository["env"];
  /** The commit that has the list and its documents, instead of the work tree. */
  from?: string | undefined;
  /** Takes the checks that fit the files of the repository in the place of a list. */
  all?: { warn(message: string): Promise<void> } | undefined;
}

/** Bytes of the largest list of checks: parsing YAML takes a second for a few megabytes. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Finds and reads the checks of the current folder.
 * @param named The name of the file; without it, the nearest `penknife.checks.yaml` up to the root of the repository.
 * @throws ToolError invalid_input if there is none, or with every mistake in it; GitError if there is no such commit, or the
 * repository is refused.
 */
export async function openChecks(named: string | undefined, deps: OpenChecksDeps): Promise<OpenedChecks> {
  const { files, env } = deps;
  const { cwd } = files;
  const root = findRoot(cwd, files);
  const repository = await openRepository(cwd, { files, env });
  const open = (from?: CommitFiles) =>
    deps.all === undefined ? openIn(named, root, deps, from) : openFitting(root, repository, deps, from);
  if (deps.from === undefined) return { ...(await open()), repository, from: undefined };
  const from = await openCommitFiles(repository, deps.from);
  try {
    return { ...(await open(from)), repository, from };
  } catch (error) {
    from.close();
    throw error;
  }
}

type OpenedList = Pick<OpenedChecks, "file" | "sources" | "folder" | "baseline">;

/** Makes the list of the checks that fit the files; only what is in the repository is read. */
async function openFitting(
  root: string | undefined,
  repository: Repository | undefined,
  { files, catalog, disabled, all }: OpenChecksDeps,
  from?: CommitFiles,
): Promise<OpenedList> {
  const { proposeList } = await import("./propose/propose-list.ts");
  const folder = root ?? files.cwd;
  const warn = all?.warn ?? (async () => undefined);
  const hasTool = (slug: string) => catalog.has(slug) && !disabled.includes(slug);
  const { text } = await proposeList({ folder, repository, files, warn, hasTool });
  const sources = new Set<string>();
  const list = { path: resolve(folder, checksFileName), shown: checksFileName, root, files };
  const readText = from?.readText ?? createReader(undefined, list);
  const file = await readChecksFile(text, "penknife check --all", {
    catalog,
    disabled,
    readText(name) {
      sources.add(resolve(folder, name));
      return readText(resolve(folder, name), showFileName(name));
    },
  });
  return { file, sources, folder, baseline: undefined };
}

async function openIn(
  named: string | undefined,
  root: string | undefined,
  { files, catalog, disabled }: OpenChecksDeps,
  from?: CommitFiles,
): Promise<OpenedList> {
  const { cwd } = files;
  const has = (path: string) => from?.has(path) ?? files.stat(path)?.kind === "file";
  const path = named === undefined ? await findChecksFile(cwd, root, has) : resolve(cwd, named);
  if (path === undefined) throw noFile(root, cwd, from?.revision);
  const shown = showFileName(named ?? relative(cwd, path));
  const home = dirname(path);
  const sources = new Set([path]);
  const readText = from?.readText ?? createReader(named, { path, shown, root, files });
  const text = await readText(path, shown);
  const size = Buffer.byteLength(text);
  if (size > maxBytes)
    throw refusal(`${shown} is too large: it has ${size} bytes, and the most is ${maxBytes}.`);
  const file = await readChecksFile(text, shown, {
    catalog,
    disabled,
    readText(name) {
      const absolute = resolve(home, name);
      sources.add(absolute);
      return readText(absolute, showFileName(name));
    },
  });
  const folder = isInside(root ?? cwd, home) ? home : (root ?? cwd);
  const baseline = file.baseline === undefined ? undefined : resolve(home, file.baseline);
  // A pull request can change the list, and --write-baseline writes the file.
  const boundary = findRoot(home, files) ?? home;
  if (baseline !== undefined && !isInside(files.realPath(boundary), files.realPath(baseline)))
    throw refusal(
      `${file.locate(["/baseline"]).join("")}: ${showFileName(file.baseline ?? "")} is outside of ${showFileName(boundary)}; a baseline belongs in the repository.`,
    );
  return { file, sources, folder, baseline };
}

interface List {
  /** Absolute. */
  path: string;
  shown: string;
  root: string | undefined;
  files: FileAccess;
}

/** Returns the function that reads the list of checks and its documents from the work tree. */
function createReader(
  named: string | undefined,
  { path: list, shown: shownList, root, files }: List,
): (path: string, shown: string) => string {
  // A pull request can change the file, and findings quote the documents.
  const boundary = findRoot(dirname(list), files) ?? dirname(list);
  return (path, shown) => {
    const target = files.realPath(path);
    const isList = path === list;
    const tree = isList ? (root ?? files.cwd) : boundary;
    if ((isList && named !== undefined) || isInside(files.realPath(tree), target))
      return readFile(target, shown, files);
    // Messages quote the file, and nobody has named this one.
    if (isList)
      throw refusal(
        `${shown} is a link out of ${showFileName(tree)}. To read it nevertheless: --checks ${shownList}`,
      );
    throw refusal(`${shown} is outside of ${showFileName(tree)}; its files alone are read.`);
  };
}

function readFile(path: string, shown: string, files: FileAccess): string {
  let found: RegularFile;
  try {
    found = files.readRegular(files.realPath(path), maxText);
  } catch (error) {
    throw refusal(`${shown} cannot be read: ${reasonOf(error)}`);
  }
  if (found === "missing") throw refusal(`${shown} cannot be read: there is no such file`);
  if (typeof found === "string") throw refusal(`${shown} is not a regular file.`);
  if ("size" in found)
    throw refusal(`${shown} is too large: it has ${found.size} bytes, and the most is ${maxText}.`);
  return toText(found.bytes, "invalid_input", shown);
}

function noFile(root: string | undefined, cwd: string, revision?: string): ToolError {
  const where =
    root === undefined
      ? "in this folder"
      : root === cwd
        ? "in this repository"
        : `here or in a folder above, up to ${showFileName(root)}`;
  if (revision !== undefined) return refusal(`${revision} has no ${checksFileName} ${where}.`);
  return refusal(
    `There is no ${checksFileName} ${where}. penknife check init writes one; to check files with one tool: penknife check TOOL FILES`,
  );
}

const refusal = (message: string): ToolError => new ToolError("invalid_input", message);
