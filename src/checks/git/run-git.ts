import { spawn } from "node:child_process";
import { showFileName } from "../../lib/file-name.ts";
import { findGit, optionsOf, type Repository, toCleanEnvironment, toEnvironment } from "./environment.ts";

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
  return start(repository, {
    words: [...optionsOf(repository.overrides), ...words],
    folder,
    env: toEnvironment(repository),
  });
}

interface Start {
  words: readonly string[];
  folder: string;
  env: Record<string, string>;
}

type Place = Pick<Repository, "root" | "env">;

function start(place: Place, { words, folder, env }: Start): GitProcess {
  const program = findGit(place.env, place.root);
  if (program === undefined) throw toMissing(place);
  const child = spawn(program, words, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (complaint.length < 4000) complaint += text;
  });
  // A process that has ended takes no input; its status says why.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", (error) => reject(new GitError(`git cannot be started: ${error.message}`)));
    child.once("close", (status, signal) => {
      if (status === 0) resolve();
      else reject(explain(complaint, signal ?? `status ${status}`, place));
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
export const runGit = async (
  repository: Repository,
  folder: string,
  words: readonly string[],
): Promise<Buffer> => readAll(startGit(repository, folder, words));

/**
 * Runs a command of Git that finds the repository of a folder by itself, as a person would. Only one that reads no more than
 * configuration.
 * @throws GitError
 */
export const runUnbound = async (place: Place, words: readonly string[]): Promise<Buffer> =>
  readAll(
    start(place, {
      words: [...optionsOf([]), ...words],
      folder: place.root,
      env: toCleanEnvironment(place.env, place.root),
    }),
  );

async function readAll(git: GitProcess): Promise<Buffer> {
  git.end();
  const pieces: Uint8Array[] = [];
  for await (const piece of git.output) pieces.push(piece);
  return Buffer.concat(pieces);
}

const toMissing = ({ root }: Place): GitError =>
  new GitError(
    `git is not installed, or not on the PATH, so the files of ${showFileName(root)} are not known.`,
    { missing: true },
  );

function explain(complaint: string, how: string, { root }: Place): GitError {
  if (complaint.includes("dubious ownership"))
    return new GitError(
      `git does not read ${root}, because it belongs to another user. If you trust it: git config --global --add safe.directory ${root}`,
      { usage: true },
    );
  const lines = complaint.split("\n").filter((text) => text.trim() !== "");
  // Hints and warnings may come first.
  const line = lines.find((text) => text.startsWith("fatal: ")) ?? lines[0] ?? "";
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
