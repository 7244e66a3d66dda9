import { dirname, join } from "node:path/posix";
import { decodeFileName } from "../../lib/file-name.ts";
import { openBlobs } from "./blobs.ts";
import type { Repository } from "./environment.ts";
import { GitError, runGit, splitNul } from "./run-git.ts";

/** The files of a commit. Paths are relative to the root of the repository. */
export interface Commit {
  /** Reports whether a path is a file, after links. */
  has(path: string): Promise<boolean>;
  /**
   * Reads a file, after links in the commit itself; its size if that is above `max` bytes.
   * @throws GitError if the clone does not have its content
   */
  read(path: string, max: number): Promise<Uint8Array | { size: number } | "missing" | "outside">;
  /** Reads a file under its own name; its size if that is above `max` bytes; undefined if it is a link or missing. @throws GitError */
  readPlain(path: string, max: number): Promise<Uint8Array | { size: number } | undefined>;
  /** The paths of its files; links and other repositories are none. */
  paths(): string[];
  close(): void;
}

interface Entry {
  /** `100644`, `120000`, `160000` and the like. */
  mode: string;
  blob: string;
}

/** Links that one path may lead through, as Linux has it. */
const maxLinks = 40;
const maxLinkBytes = 4096;

/**
 * Opens the files of a commit. Only the commit itself is needed: a shallow clone of it is enough.
 * @throws GitError if the clone has no such commit
 */
export async function openCommit(repository: Repository, revision: string): Promise<Commit> {
  const entries = await list(repository, revision);
  const blobs = openBlobs(repository);

  async function readBlob(blob: string, max: number): Promise<Uint8Array | { size: number }> {
    // Git ends over what a partial clone has to download.
    const found = await blobs.read(blob, max).catch((error: unknown) => {
      if (error instanceof GitError && !error.missing) return undefined;
      throw error;
    });
    if (found !== undefined) return found;
    throw new GitError(
      `This clone lacks a file of ${revision}, which it would have to download. Clone without --filter, or fetch the commit again: git fetch --refetch origin ${revision}`,
      { usage: true },
    );
  }

  /** Follows links, in folders of the path as well. */
  async function find(path: string): Promise<Entry | "missing" | "outside"> {
    let rest = path;
    for (let links = 0; links <= maxLinks; links++) {
      if (rest === ".." || rest.startsWith("../") || rest.startsWith("/")) return "outside";
      const link = prefixesOf(rest).find((prefix) => entries.get(prefix)?.mode === "120000");
      if (link === undefined) {
        const entry = entries.get(rest);
        return entry?.mode.startsWith("100") === true ? entry : "missing";
      }
      const target = await readBlob(entries.get(link)?.blob ?? "", maxLinkBytes);
      if (!(target instanceof Uint8Array)) return "missing";
      const to = decodeFileName(target);
      rest = to.startsWith("/") ? to : join(dirname(link), to, rest.slice(link.length));
    }
    return "missing";
  }

  return {
    has: async (path) => typeof (await find(path)) === "object",
    async read(path, max) {
      const found = await find(path);
      return typeof found === "string" ? found : readBlob(found.blob, max);
    },
    async readPlain(path, max) {
      const entry = entries.get(path);
      if (entry?.mode.startsWith("100") !== true) return undefined;
      return readBlob(entry.blob, max);
    },
    paths: () => [...entries].filter(([, { mode }]) => mode.startsWith("100")).map(([path]) => path),
    close: blobs.close,
  };
}

/** `a/b/c` is in `a` and `a/b`, and is `a/b/c`. */
const prefixesOf = (path: string): string[] =>
  path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));

async function list(repository: Repository, revision: string): Promise<Map<string, Entry>> {
  const { root } = repository;
  const entries = new Map<string, Entry>();
  let output: Buffer;
  try {
    const words = ["rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`];
    const id = (await runGit(repository, root, words)).toString("latin1").trim().split("\n").at(-1) ?? "";
    output = await runGit(repository, root, ["ls-tree", "-r", "-z", "--full-tree", id]);
  } catch (error) {
    throw error instanceof GitError && !error.missing && !error.usage
      ? await explain(repository, revision)
      : error;
  }
  for (const line of splitNul(output)) {
    const tab = line.indexOf(9);
    const [mode = "", , blob = ""] = line.toString("latin1", 0, tab).split(" ");
    entries.set(decodeFileName(line.subarray(tab + 1)), { mode, blob });
  }
  return entries;
}

async function explain(repository: Repository, revision: string): Promise<GitError> {
  const shallow = await runGit(repository, repository.root, ["rev-parse", "--is-shallow-repository"]);
  const isShallow = shallow.toString("latin1").trim() === "true";
  const message = isShallow
    ? `${revision} is no commit of this clone, which is shallow. Fetch more of the history (git fetch --unshallow; fetch-depth: 0 in a job), or the commit alone: git fetch --depth=1 origin COMMIT`
    : `${revision} is no commit of this repository. A clone of a CI job may lack it: git fetch origin ${revision}`;
  return new GitError(message, { usage: true });
}
