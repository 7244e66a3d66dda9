import { closeSync, lstatSync, openSync } from "node:fs";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { platform as platformOf } from "node:os";
import { basename, dirname, join } from "node:path";
import { StoreError, toStoreError } from "./errors.ts";
import { linkedFile } from "./own-file.ts";

/** Longest path of a socket in bytes: `sun_path` has 108 on Linux and 104 on macOS, including the terminator. */
const maxPath = { linux: 107, other: 103 };

/** Returns the path of the socket through which commands reach the server of a data folder. */
export const socketOf = (folder: string): string => join(folder, "penknife.sock");

/** Reports whether a server that uses the data folder answers on its socket. */
export async function isServed(folder: string): Promise<boolean> {
  const socket = await reachSocket(socketOf(folder)).catch(() => undefined);
  socket?.destroy();
  return socket !== undefined;
}

/**
 * Connects to the socket at `path`; undefined if nobody listens there.
 * @throws StoreError if the socket may not be used.
 */
export async function reachSocket(path: string): Promise<Socket | undefined> {
  try {
    // A planted link could send the operator's commands to another socket.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw linkedFile(path);
    const short = shortPath(path);
    try {
      return await new Promise<Socket>((resolve, reject) => {
        const socket = connect(short.path, () => resolve(socket.off("error", reject)));
        socket.once("error", reject);
      });
    } finally {
      short.release();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A killed server leaves a socket that nobody listens on.
    if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR") return undefined;
    throw toStoreError("socket", path, error);
  }
}

/**
 * Returns a path to the same place that fits into a socket address. On Linux a long path is reached through a
 * descriptor of its folder in /proc; call `release` after use.
 * @throws StoreError on other systems if the path is too long.
 */
export function shortPath(
  path: string,
  platform: string = platformOf(),
): { path: string; release: () => void } {
  const limit = platform === "linux" ? maxPath.linux : maxPath.other;
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
