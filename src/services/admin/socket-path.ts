import { closeSync, openSync } from "node:fs";
import { platform as platformOf } from "node:os";
import { basename, dirname } from "node:path";
import { StoreError } from "../storage/errors.ts";

/** `sun_path` of a socket address has 108 bytes on Linux and 104 on macOS, with the end mark. */
const longest = { linux: 107, other: 103 };

/**
 * The same place by a path that fits into a socket address. A long one is reached through a descriptor of its
 * folder in /proc, which Linux has; elsewhere it is refused with a StoreError. `release` when it was used.
 */
export function shortPath(
  path: string,
  platform: string = platformOf(),
): { path: string; release: () => void } {
  const limit = platform === "linux" ? longest.linux : longest.other;
  if (Buffer.byteLength(path) <= limit) return { path, release: () => {} };
  if (platform !== "linux") {
    throw new StoreError(
      "socket",
      `${path} is too long for a socket (${limit} bytes at most). Choose a shorter storage.path.`,
    );
  }
  const descriptor = openSync(dirname(path), "r");
  return { path: `/proc/self/fd/${descriptor}/${basename(path)}`, release: () => closeSync(descriptor) };
}
