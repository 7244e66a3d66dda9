import { createMutex } from "../../lib/mutex.ts";
import { createByteReader, type ByteReader } from "./byte-reader.ts";
import type { Repository } from "./environment.ts";
import { type GitProcess, startGit } from "./run-git.ts";

export interface BlobReader {
  /** Returns the bytes of a blob; its size if that is above `max`; undefined if the repository has no such blob. */
  read(blob: string, max: number): Promise<Uint8Array | { size: number } | undefined>;
  close(): void;
}

/** Reads blobs. One process of Git, which the first read starts, serves all of them in their order. */
export function openBlobs(repository: Repository): BlobReader {
  let git: GitProcess | undefined;
  let reader: ByteReader | undefined;
  const inTurn = createMutex();

  async function receive(from: ByteReader, max: number): ReturnType<BlobReader["read"]> {
    const [, kind, length] = (await from.until(0x0a)).toString("latin1").split(" ");
    if (kind === "missing" || length === undefined) return undefined;
    const size = Number(length);
    if (kind !== "blob" || size > max) {
      await from.skip(size + 1);
      return kind === "blob" ? { size } : undefined;
    }
    const bytes = await from.bytes(size);
    await from.skip(1);
    return bytes;
  }

  return {
    read(blob, max) {
      git ??= startGit(repository, repository.root, ["cat-file", "--batch"]);
      const from = (reader ??= createByteReader(git.output));
      git.write(`${blob}\n`);
      return inTurn(() => receive(from, max));
    },
    close: () => git?.kill(),
  };
}
