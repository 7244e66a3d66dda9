import { showFileName } from "../../lib/file-name.ts";
import type { ReadFile } from "../check-files.ts";
import type { LeftOutCount } from "../left-out.ts";
import { type FileSource, isLfsPointer, type SizeLimit, toTooLarge } from "../source.ts";
import type { StagedFile } from "./changes.ts";
import { type GitProcess, type Repository, startGit } from "./run-git.ts";

/**
 * Reads files from the index: what a commit would contain, whatever the work tree has. One process of Git serves all reads,
 * in their order.
 */
export function createIndexSource(
  repository: Repository,
  folder: string,
  staged: readonly StagedFile[],
  leftOut: LeftOutCount,
): FileSource {
  const blobs = new Map<string, string>();
  for (const { path, mode, blob } of staged) {
    if (mode === "160000") leftOut.add("submodule", path);
    else if (mode === "120000") leftOut.add("link", path);
    else blobs.set(path, blob);
  }
  let git: GitProcess | undefined;
  let input: ByteReader | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  function start(): ByteReader {
    git = startGit(repository, folder, ["cat-file", "--batch"]);
    return createByteReader(git.output);
  }

  function read(path: string, limit: SizeLimit): Promise<ReadFile> {
    const reader = (input ??= start());
    git?.write(`${blobs.get(path)}\n`);
    const answer = turn.then(() => readBlob(reader, path, limit));
    turn = answer.catch(() => undefined);
    return answer;
  }

  async function readBlob(reader: ByteReader, path: string, limit: SizeLimit): Promise<ReadFile> {
    const [, kind, length] = (await reader.line()).split(" ");
    if (kind !== "blob")
      return { unread: `${showFileName(path)} cannot be read: its blob is missing`, failed: true };
    const size = Number(length);
    if (size > limit.bytes) {
      await reader.skip(size + 1);
      return toTooLarge(showFileName(path), size, limit);
    }
    const bytes = await reader.bytes(size);
    await reader.skip(1);
    if (!isLfsPointer(bytes)) return { bytes };
    leftOut.add("lfs-pointer", path);
    return "skipped";
  }

  return { paths: [...blobs.keys()].toSorted(), ignored: new Set(), read, close: () => git?.kill() };
}

interface ByteReader {
  line(): Promise<string>;
  bytes(count: number): Promise<Uint8Array>;
  skip(count: number): Promise<void>;
}

/** Reads lines and counted bytes from a stream. @throws Error if it ends before. */
function createByteReader(stream: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  /** Returns up to `most` bytes, at least one. */
  async function take(most: number): Promise<Uint8Array> {
    while (rest.length === 0) {
      const next = await chunks.next();
      if (next.done === true) throw new Error("git cat-file ended before its answer");
      rest = next.value;
    }
    const part = rest.subarray(0, most);
    rest = rest.subarray(part.length);
    return part;
  }
  return {
    async line() {
      let line = "";
      for (;;) {
        const part = await take(Math.max(1, rest.indexOf(10) === -1 ? rest.length : rest.indexOf(10) + 1));
        line += Buffer.from(part).toString("latin1");
        if (line.endsWith("\n")) return line.slice(0, -1);
      }
    },
    async bytes(count) {
      const bytes = Buffer.allocUnsafeSlow(count);
      for (let at = 0; at < count;) {
        const part = await take(count - at);
        bytes.set(part, at);
        at += part.length;
      }
      return bytes;
    },
    async skip(count) {
      for (let left = count; left > 0;) left -= (await take(left)).length;
    },
  };
}
