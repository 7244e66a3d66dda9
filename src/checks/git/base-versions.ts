import { openBlobs } from "./blobs.ts";
import type { Version } from "./compare.ts";
import type { Repository } from "./environment.ts";

/** Files as they were before a change. Paths are those of the change. */
export interface BaseVersions {
  /** Returns the bytes of a file; undefined if there was none, or it has more bytes than `max`. @throws GitError */
  read(path: string, max: number): Promise<Uint8Array | undefined>;
  close(): void;
}

export function openBaseVersions(
  repository: Repository,
  versions: ReadonlyMap<string, Version>,
): BaseVersions {
  const blobs = openBlobs(repository);
  return {
    async read(path, max) {
      const version = versions.get(path);
      // A link is no earlier version of a file.
      if (version?.mode.startsWith("100") !== true) return undefined;
      const found = await blobs.read(version.blob, max);
      return found instanceof Uint8Array ? found : undefined;
    },
    close: blobs.close,
  };
}
