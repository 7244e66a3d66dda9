import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInDotGit } from "../../lib/dot-git.ts";
import { decodeFileName, encodeFileName, showFileName } from "../../lib/file-name.ts";
import { codeOf } from "../../lib/system-error.ts";
import { isInside } from "../inside.ts";
import { LeftError } from "./left-error.ts";

/** The place to write a file: a name in a folder that is held open, so that no link that is put on the way leads elsewhere. */
export interface Place {
  /** The name of the file after links. */
  readonly name: string;
  /** The path of an entry of the folder, for the functions of Node. */
  entry(name: string): string | Buffer;
  /** Makes the names in the folder survive a power failure. */
  sync(): void;
  close(): void;
}

/** Linux names the open folder itself, whatever takes the place of its path. */
const descriptors = "/proc/self/fd";

/**
 * Finds where a file is written, and refuses what a hostile folder may have put there: a link below a tree that leads out of it,
 * any link as the last name of a path elsewhere, and `.git` under any name.
 * @param path Absolute.
 * @param trees Absolute folders that no link may lead out of; the nearest first. In it, the last name may be a link as well.
 * @throws LeftError, or the error of the operating system
 */
export function openPlace(path: string, trees: readonly [string, ...string[]]): Place {
  const { parent, name } = follow(path, trees);
  const folder = openSync(
    encodeFileName(parent),
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  const isHeld = existsSync(`${descriptors}/${folder}`);
  /** @throws LeftError if another folder has been put on the way since the path was followed. */
  const requireSame = (): void => {
    const now = isHeld
      ? decodeFileName(readlinkSync(`${descriptors}/${folder}`, "buffer"))
      : toRealPath(parent);
    if (now !== parent) throw new LeftError("its folder has changed meanwhile");
  };
  try {
    requireSame();
  } catch (error) {
    closeSync(folder);
    throw error;
  }
  return {
    name,
    entry(one) {
      if (isHeld) return encodeFileName(join(descriptors, String(folder), one));
      requireSame();
      return encodeFileName(join(parent, one));
    },
    sync: () => fsyncSync(folder),
    close: () => closeSync(folder),
  };
}

function follow(path: string, trees: readonly [string, ...string[]]): { parent: string; name: string } {
  let parent = toRealPath(dirname(path));
  let name = basename(path);
  const target = (): string => join(parent, name);
  if (isLink(target())) {
    if (!isInside(trees[0], path))
      throw new LeftError(
        `it is a link, and links are followed below ${showFileName(trees[0])} only. Name the file that it leads to`,
      );
    const real = toTarget(target());
    [parent, name] = [dirname(real), basename(real)];
  }
  const tree = trees.find((one) => isInside(one, path));
  if (tree !== undefined && !isInside(toRealPath(tree), target()))
    throw new LeftError(
      `it is a link to ${showFileName(target())}, which is outside of ${showFileName(tree)}`,
    );
  // What is in there names programs that Git starts.
  if (isInDotGit(target())) throw new LeftError("it is in .git, where nothing is written");
  return { parent, name };
}

const isLink = (path: string): boolean =>
  lstatSync(encodeFileName(path), { throwIfNoEntry: false })?.isSymbolicLink() === true;

function toTarget(link: string): string {
  try {
    return toRealPath(link);
  } catch (error) {
    throw codeOf(error) === "ENOENT" ? new LeftError("it is a link to nothing") : error;
  }
}

const toRealPath = (path: string): string =>
  decodeFileName(realpathSync.native(encodeFileName(path), "buffer"));
