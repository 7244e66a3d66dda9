import { spawn } from "node:child_process";
import { delimiter, isAbsolute } from "node:path";

/** A repository, and the environment that its commands run in. */
export interface Repository {
  /** The folder that has the entry `.git`, absolute. */
  root: string;
  /** The environment of this process. */
  env: Readonly<Record<string, string | undefined>>;
}

/** Git is missing, refuses the repository or fails. */
export class GitError extends Error {
  /** Set if there is no program `git`. */
  readonly missing: boolean;
  /** The call is wrong, for example because of an unknown revision; otherwise the machine is. */
  readonly usage: boolean;

  constructor(message: string, { missing = false, usage = false } = {}) {
    super(message);
    this.missing = missing;
    this.usage = usage;
  }
}

/**
 * The repository may be hostile, and its `.git/config` can name programs. Commands that read names and blobs need none of
 * them: the monitor of the file system and hooks are switched off here; text converters and external differs run only in
 * commands that we do not use; `changes.ts` switches off filters. A partial clone must not fetch what is missing.
 */
const safeOptions = [
  "--no-pager",
  "--no-optional-locks",
  "--literal-pathspecs",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.preloadIndex=true",
  ].flatMap((setting) => ["-c", setting]),
];

/** Variables of Git that a hook sets to say which repository and which index it is about. */
const kept = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_QUARANTINE_PATH",
];

function toEnvironment({ root, env }: Repository): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    // GIT_CONFIG_COUNT and the like are how a container marks a folder as safe.
    const wanted = !name.startsWith("GIT_") || name.startsWith("GIT_CONFIG") || kept.includes(name);
    if (value !== undefined && wanted) clean[name] = value;
  }
  // The repository must not provide the program itself.
  if (clean["PATH"] !== undefined)
    clean["PATH"] = clean["PATH"].split(delimiter).filter(isAbsolute).join(delimiter);
  return {
    // Not `core.worktree`, which the repository could point anywhere.
    GIT_WORK_TREE: root,
    ...clean,
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

export interface GitProcess {
  /** Ends with the process; throws GitError if it fails. */
  output: AsyncIterable<Uint8Array>;
  write(bytes: string | Uint8Array): void;
  end(): void;
  /** Ends the process at once. */
  kill(): void;
}

/**
 * Starts a command of Git.
 * @param folder Paths are relative to it, absolute.
 */
export function startGit(repository: Repository, folder: string, words: readonly string[]): GitProcess {
  const child = spawn("git", [...safeOptions, ...words], {
    cwd: folder,
    env: toEnvironment(repository),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (complaint.length < 4000) complaint += text;
  });
  // A process that has ended takes no input; its status says why.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", (error) => reject(toGitError(error, repository)));
    child.once("close", (status, signal) => {
      if (status === 0) resolve();
      else reject(explain(complaint, signal ?? `status ${status}`, repository));
    });
  });
  ended.catch(() => undefined);
  async function* output(): AsyncGenerator<Uint8Array> {
    yield* child.stdout as AsyncIterable<Uint8Array>;
    await ended;
  }
  return {
    output: output(),
    write: (bytes) => void child.stdin.write(bytes),
    end: () => void child.stdin.end(),
    kill: () => void child.kill("SIGKILL"),
  };
}

/** Runs a command of Git and returns its output. @throws GitError */
export async function runGit(
  repository: Repository,
  folder: string,
  words: readonly string[],
): Promise<Buffer> {
  const git = startGit(repository, folder, words);
  git.end();
  const pieces: Uint8Array[] = [];
  for await (const piece of git.output) pieces.push(piece);
  return Buffer.concat(pieces);
}

function toGitError(error: Error, { root }: Repository): GitError {
  if ("code" in error && error.code === "ENOENT")
    return new GitError(`git is not installed, or not on the PATH, so the files of ${root} are not known.`, {
      missing: true,
    });
  return new GitError(`git cannot be started: ${error.message}`);
}

function explain(complaint: string, how: string, { root }: Repository): GitError {
  if (complaint.includes("dubious ownership"))
    return new GitError(
      `git does not read ${root}, because it belongs to another user. If you trust it: git config --global --add safe.directory ${root}`,
      { usage: true },
    );
  const [line = ""] = complaint.split("\n").filter((text) => text.trim() !== "");
  return new GitError(`git ended with ${how}: ${line.replace(/^fatal: /, "") || "it gave no reason"}`);
}

/** Splits the output of a command that was called with -z. */
export function* splitNul(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at);
    const stop = end === -1 ? bytes.length : end;
    yield bytes.subarray(at, stop);
    at = stop + 1;
  }
}
