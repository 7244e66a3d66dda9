import { dirname, join } from "node:path";
import type { FileAccess } from "./files.ts";

/** The file that lists the checks of a repository. */
export const checksFileName = "penknife.checks.yaml";

/**
 * Finds the root of the repository that contains a folder: the nearest one whose `.git` is the data of Git, or a file that says
 * where they are. Git goes past any other `.git`, too.
 */
export function findRoot(folder: string, files: Pick<FileAccess, "stat">): string | undefined {
  for (const one of upwards(folder)) {
    const found = files.stat(join(one, ".git"));
    if (found?.kind === "file") return one;
    if (found !== undefined && files.stat(join(one, ".git/HEAD")) !== undefined) return one;
  }
  return undefined;
}

/**
 * Finds the nearest file of checks, from a folder up to the root of its repository. Outside a repository only the folder
 * itself may have one: a folder above may belong to somebody else.
 */
export async function findChecksFile(
  folder: string,
  root: string | undefined,
  has: (path: string) => boolean | Promise<boolean>,
): Promise<string | undefined> {
  for (const one of upwards(folder)) {
    const path = join(one, checksFileName);
    if (await has(path)) return path;
    if (one === (root ?? folder)) return undefined;
  }
  return undefined;
}

/** A folder and the folders that contain it, the nearest first. */
function* upwards(folder: string): Generator<string> {
  for (let one = folder; ; one = dirname(one)) {
    yield one;
    if (one === dirname(one)) return;
  }
}
