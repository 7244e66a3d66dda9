import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Returns a sentence for each way in which other users could change the content of a folder: by its mode, its owner, or
 * a folder above it.
 */
export function findOpenings(path: string, uid: number | undefined): string[] {
  const folder = realpathSync(path);
  const found = describeOpening(folder, uid, false);
  const openings = found === undefined ? [] : [`${path} ${found}.`];
  for (
    let child = folder, parent = dirname(child);
    parent !== child;
    child = parent, parent = dirname(child)
  ) {
    const above = describeOpening(parent, uid, true);
    if (above !== undefined)
      openings.push(`${parent}, above ${path}, ${above}, and could put another folder in its place.`);
  }
  return openings;
}

/** The advice that ends every such sentence. */
export const closeFolder = (path: string): string =>
  `Give the folder to the user of the server and close it: chmod 700 ${path}; do not keep it below a folder that others can write.`;

function describeOpening(folder: string, uid: number | undefined, isAbove: boolean): string | undefined {
  const { mode, uid: owner } = statSync(folder);
  const shown = (mode & 0o7777).toString(8);
  // In a sticky folder such as /tmp, only the owner can rename an entry.
  if (isAbove && (mode & 0o1000) !== 0) return undefined;
  if ((mode & 0o002) !== 0) return `can be written by everybody on this machine (mode ${shown})`;
  if ((mode & 0o020) !== 0) return `can be written by its group (mode ${shown})`;
  if (uid !== undefined && owner !== uid && owner !== 0) return `belongs to another user (uid ${owner})`;
  return undefined;
}
