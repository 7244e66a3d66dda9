import { constants, existsSync } from "node:fs";
import { type FileHandle, link, lstat, open, readlink, realpath, rename, unlink } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { ToolError } from "../../../catalog/errors.ts";
import { invalidField } from "../../../catalog/input.ts";
import { followLinks } from "../../../checks/follow-links.ts";
import { isInside } from "../../../checks/inside.ts";
import { isInDotGit } from "../../../lib/dot-git.ts";
import { codeOf, reasonOf } from "../../../lib/system-error.ts";

/** The files below a folder: all that an agent may name. */
export interface Folder {
  /** Reads a regular file of at most that many bytes. @throws ToolError invalid_input for `field` */
  read(name: string, max: number, field: string): Promise<Uint8Array>;
  /**
   * Writes a file, as a whole or not at all.
   * @throws ToolError invalid_input for `field`, also for a file that exists, unless `overwrite`
   */
  write(name: string, content: string | Uint8Array, overwrite: boolean, field: string): Promise<void>;
}

export interface FolderDeps {
  /** Absolute. */
  root: string;
  /** A name for a temporary file that no other process uses. */
  uniqueName(): string;
}

const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Linux names the real path of an open file, whatever happened to the links on the way to it. */
const descriptors = "/proc/self/fd";

/**
 * Opens a folder. Links are followed as long as they stay below it. A path is checked after it was opened, because a link on
 * the way may be replaced between a check and its use.
 * @throws the error of the operating system
 */
export async function openFolder({ root: given, uniqueName }: FolderDeps): Promise<Folder> {
  const root = await realpath(given);
  const namesOpenFiles = existsSync(`${descriptors}/0`);

  const isBelow = (path: string): boolean => isInside(root, path);

  /** An agent must not learn whether a path outside exists. */
  function resolveName(name: string, field: string): string {
    if (name === "" || name.includes("\0")) throw invalidField(field, "Must be the name of a file.");
    // An absolute name may begin with the root as it was given, which may be a link.
    const path = resolve(root, isAbsolute(name) ? relative(given, name) : name);
    const plain = resolve(root, name);
    const found = [plain, path].find(isBelow);
    if (found === undefined) throw outside(name, field);
    return found;
  }

  /**
   * The path after links, so that a link to a file below the root can be opened without following any. A link that leads out, even
   * if it comes back, gets one answer, whatever is there: a folder may contain links that ask for something.
   */
  function locate(path: string, name: string, field: string): string {
    const found = followLinks(path, (at) => {
      // The folders that contain the root are there anyway.
      if (![root, given].some((one) => isInside(root, at) || isInside(at, one))) throw outside(name, field);
    });
    if (!isBelow(found)) throw outside(name, field);
    if (isInDotGit(relative(root, found))) throw inDotGit(name, field);
    return found;
  }

  /** Checks where an open file is. @throws ToolError */
  async function requireBelow(file: FileHandle, path: string, name: string, field: string): Promise<string> {
    if (namesOpenFiles) {
      const real = await readlink(`${descriptors}/${file.fd}`);
      if (!isBelow(real)) throw outside(name, field);
      return real;
    }
    const [real, found] = [await realpath(path), await file.stat()];
    const again = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const { dev, ino } = await again.stat();
      if (!isBelow(real) || dev !== found.dev || ino !== found.ino) throw outside(name, field);
    } finally {
      await again.close();
    }
    return real;
  }

  async function openBelow(
    path: string,
    flags: number,
    name: string,
    field: string,
  ): Promise<{ file: FileHandle; real: string }> {
    const file = await open(path, flags).catch((error: unknown) => {
      throw toRefusal(name, field, error);
    });
    try {
      return { file, real: await requireBelow(file, path, name, field) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  return {
    async read(name, max, field) {
      const { file } = await openBelow(locate(resolveName(name, field), name, field), readFlags, name, field);
      try {
        const found = await file.stat();
        if (!found.isFile()) throw invalidField(field, `${quote(name)} is ${kindOf(found)}, not a file.`);
        if (found.size > max)
          throw invalidField(
            field,
            `${quote(name)} has ${found.size} bytes; this tool takes at most ${max}.`,
          );
        return await readAll(file, found.size);
      } finally {
        await file.close();
      }
    },
    async write(name, content, overwrite, field) {
      // A link is kept, and the file that it leads to is written.
      const named = resolveName(name, field);
      const path = overwrite ? locate(named, name, field) : named;
      if (path === root) throw invalidField(field, `${quote(name)} is the folder itself.`);
      const parent = locate(dirname(path), name, field);
      if (isInDotGit(relative(root, join(parent, basename(path))))) throw inDotGit(name, field);
      if (!existsSync(parent))
        throw invalidField(field, `The folder of ${quote(name)} does not exist. Create it first.`);
      const { file: folder, real } = await openBelow(parent, folderFlags, name, field);
      // Below the open folder, whatever takes the place of its path meanwhile.
      const inside = (entry: string) => join(namesOpenFiles ? `${descriptors}/${folder.fd}` : real, entry);
      const [target, temporary] = [inside(basename(path)), inside(`.penknife-${uniqueName()}.tmp`)];
      try {
        if (isInDotGit(relative(root, join(real, basename(path))))) throw inDotGit(name, field);
        await writeNew(temporary, content, overwrite ? await modeOf(target) : undefined);
        await (overwrite ? rename(temporary, target) : giveNewName(temporary, target));
        await folder.sync();
      } catch (error) {
        await unlink(temporary).catch(() => undefined);
        throw toRefusal(name, field, error);
      } finally {
        await folder.close();
      }
    },
  };
}

async function readAll(file: FileHandle, size: number): Promise<Uint8Array> {
  // Not shared, so that a worker can take it over.
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await file.read(bytes, at, size - at, null);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

async function writeNew(path: string, content: string | Uint8Array, mode: number | undefined): Promise<void> {
  const file = await open(path, createFlags, 0o666);
  try {
    await file.writeFile(content);
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The permissions of a file that is replaced; undefined if there is none. @throws EISDIR */
async function modeOf(path: string): Promise<number | undefined> {
  try {
    const found = await lstat(path);
    if (found.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    return found.mode & 0o777;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Gives a file a name that nothing has. @throws EEXIST */
async function giveNewName(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
    await unlink(temporary);
  } catch (error) {
    if (!withoutLinks.has(codeOf(error))) throw error;
    // An empty file reserves the name.
    await (await open(path, createFlags, 0o666)).close();
    await rename(temporary, path);
  }
}

/** Errors of file systems that have no hard links. */
const withoutLinks: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

const outside = (name: string, field: string): ToolError =>
  invalidField(field, `${quote(name)} is outside of the folder that this server was started for.`);

/** The configuration of Git may contain a token, and what is written there is run. */
const inDotGit = (name: string, field: string): ToolError =>
  invalidField(field, `${quote(name)} is inside .git, where nothing is read or written.`);

/** Converts an error of the operating system; returns others as they are. */
function toRefusal(name: string, field: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof ToolError || code === "") return error;
  const reason =
    code === "EEXIST" ? "it exists already; set overwrite to true to replace it" : reasonOf(error);
  return invalidField(field, `${quote(name)} cannot be opened: ${reason}.`);
}

const kindOf = (found: { isDirectory(): boolean }): string =>
  found.isDirectory() ? "a folder" : "a pipe or a device";

const quote = (name: string): string => JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
