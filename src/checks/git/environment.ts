import { randomUUID } from "node:crypto";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, relative } from "node:path";
import { decodeFileName, encodeFileName } from "../../lib/file-name.ts";
import { isInside } from "../inside.ts";

/** A repository, and the environment that its commands run in. */
export interface Repository {
  /** The folder that has the entry `.git`, absolute. */
  readonly root: string;
  /** The data of this work tree, absolute: `.git`, or what it leads to. It was verified to belong to the root. */
  readonly gitDir: string;
  /** The data that all work trees of the repository share, absolute. */
  readonly commonDir: string;
  /** The environment of this process. */
  readonly env: Environment;
  /** Settings of its own configuration, the last of each name; names are in lower case but for their middle part. */
  readonly settings: ReadonlyMap<string, string>;
  /** Settings of `-c` that take the place of some in its configuration. */
  readonly overrides: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The configuration of the repository is hostile: it names programs, and files of others. Commands that list names and read
 * blobs need none of them, so what could start one is switched off: the monitor of the file system, hooks, other repositories.
 * Git reads no content of the work tree, so it needs no filter either.
 */
const safeSettings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.untrackedCache=false",
  "core.preloadIndex=false",
  "maintenance.auto=false",
  "protocol.allow=never",
  "safe.bareRepository=explicit",
  "submodule.recurse=false",
];

/** The options of every command. */
export const optionsOf = (overrides: readonly string[]): string[] => [
  "--no-pager",
  "--no-optional-locks",
  ...[...safeSettings, ...overrides].flatMap((setting) => ["-c", setting]),
];

/** Variables that say where the configuration of the user and of the machine is. */
const kept = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];

/** The environment of Git before it is known which repository it reads: nothing in it is about one. */
export function toCleanEnvironment(env: Environment, root: string): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (!name.startsWith("GIT_") || kept.includes(name))) clean[name] = value;
  return {
    ...clean,
    ...safeDirectories(env),
    PATH: searchPath(env, root).join(delimiter),
    // A repository can name a transport of any name, and define a program of that name as an alias; but it cannot guess.
    GIT_ALLOW_PROTOCOL: allowedProtocol,
    // Grafts replace objects as well. Git comments on a file that is there.
    GIT_GRAFT_FILE: "/dev/null/none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

/** The environment of the commands of a repository. */
export const toEnvironment = (repository: Repository): Record<string, string> => ({
  ...toCleanEnvironment(repository.env, repository.root),
  GIT_DIR: repository.gitDir,
  GIT_COMMON_DIR: repository.commonDir,
  // Not `core.worktree`, which the repository could point anywhere.
  GIT_WORK_TREE: repository.root,
  GIT_INDEX_FILE: indexOf(repository),
});

/**
 * The index: a hook of `git commit` is given another one, beside that of the work tree. One that is elsewhere belongs to another
 * repository.
 */
export function indexOf({ root, gitDir, env }: Pick<Repository, "root" | "gitDir" | "env">): string {
  const given = env["GIT_INDEX_FILE"] ?? "";
  const path = isAbsolute(given) ? given : join(root, given);
  const beside = relative(realPath(gitDir), join(realPath(dirname(path)), basename(path)));
  const isBeside = given !== "" && /^(?:next-)?index[\w.-]*$/.test(beside);
  return join(gitDir, isBeside ? beside : "index");
}

/**
 * Finds the program `git`. The tree must not provide it: neither by an entry of PATH that is relative or inside of it, nor
 * by one of the folders of packages that npm puts first.
 * @returns An absolute path; undefined if there is none.
 */
export function findGit(env: Environment, root: string): string | undefined {
  return searchPath(env, root)
    .map((folder) => join(folder, "git"))
    .find((path) => isProgram(path) && !isInside(realPath(root), realPath(path)));
}

const allowedProtocol = randomUUID();

function searchPath(env: Environment, root: string): string[] {
  const tree = realPath(root);
  return (env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
    .split(delimiter)
    .filter(
      (folder) =>
        isAbsolute(folder) && !isInside(tree, realPath(folder)) && !/\/node_modules\/\.bin\/?$/.test(folder),
    );
}

/** A container marks a folder as safe by variables. Other variables would be settings of the caller. */
function safeDirectories(env: Environment): Record<string, string> {
  const pairs: string[] = [];
  const count = Math.min(Number(env["GIT_CONFIG_COUNT"] ?? 0) || 0, 1000);
  for (let at = 0; at < count; at++)
    if (/^safe\.directory$/i.test(env[`GIT_CONFIG_KEY_${at}`] ?? ""))
      pairs.push(env[`GIT_CONFIG_VALUE_${at}`] ?? "");
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(pairs.length)],
    ...pairs.flatMap((value, at) => [
      [`GIT_CONFIG_KEY_${at}`, "safe.directory"],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]) as Record<string, string>;
}

function isProgram(path: string): boolean {
  try {
    accessSync(encodeFileName(path), constants.X_OK);
    return statSync(encodeFileName(path)).isFile();
  } catch {
    return false;
  }
}

/** The path after links; the path itself if nothing is there. */
export function realPath(path: string): string {
  try {
    return decodeFileName(realpathSync.native(encodeFileName(path), "buffer"));
  } catch {
    return path;
  }
}
