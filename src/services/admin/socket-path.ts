import { closeSync, openSync } from "node:fs";
import { platform as platformOf } from "node:os";
import { basename, dirname } from "node:path";
import { StoreError } from "../storage/errors.ts";

/** Longest path of a socket in bytes: `sun_path` has 108 on Linux and 104 on macOS, including the terminator. */
const longest = { linux: 107, other: 103 };

/**
 * Returns a path to the same place that fits into a socket address. On Linux a long path is reached through a
 * descriptor of its folder in /proc; call `release` after use.
 * @throws StoreError on other systems if the path is too long.
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
