import { showFileName } from "../../lib/file-name.ts";
import type { ReadFile } from "../check-files.ts";
import type { LeftOutCount } from "../left-out.ts";
import { type FileSource, isLfsPointer, type SizeLimit, toTooLarge } from "../source.ts";
import { openBlobs } from "./blobs.ts";
import type { StagedFile } from "./changes.ts";
import type { Repository } from "./environment.ts";

/** Reads files from the index: what a commit would contain, whatever the work tree has. */
export function createIndexSource(
  repository: Repository,
  staged: readonly StagedFile[],
  leftOut: LeftOutCount,
): FileSource {
  const names = new Map<string, string>();
  for (const { path, mode, blob } of staged) {
    if (mode === "160000") leftOut.add("submodule", path);
    else if (mode === "120000") leftOut.add("link", path);
    else names.set(path, blob);
  }
  const blobs = openBlobs(repository);

  async function read(path: string, limit: SizeLimit): Promise<ReadFile> {
    const found = await blobs.read(names.get(path) ?? "", limit.bytes);
    if (found === undefined)
      return { unread: `${showFileName(path)} cannot be read: its blob is missing`, failed: true };
    if (!(found instanceof Uint8Array)) return toTooLarge(showFileName(path), found.size, limit);
    if (!isLfsPointer(found)) return { bytes: found };
    leftOut.add("lfs-pointer", path);
    return "skipped";
  }

  return { paths: [...names.keys()].toSorted(), ignored: new Set(), read, close: blobs.close };
}
