import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "../../lib/system-error.ts";
import type { FoundFile } from "../../config.ts";

/** Only root can put a file there. An operator may keep the folder in Git (etckeeper). */
const systemFolder = "/etc/penknife";

/**
 * Reads a file that nobody has named: the folder may belong to somebody else, or come from a pull request or an archive. The
 * file is trusted if it and its folder belong to this user or root, nobody else can write them, and the folder is not in a
 * work tree of Git. After a link this holds for the folder of its target, too.
 * @param path Absolute.
 * @param uid The user of this process; undefined if the system has none.
 * @returns undefined if there is no such file.
 * @throws the error of the operating system
 */
export function readFound(path: string, uid: number | undefined): FoundFile | undefined {
  let file: number;
  try {
    // Opening a pipe must not wait for its other end.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    if (codeOf(error) === "ENXIO") return { distrust: "it is no regular file" };
    throw error;
  }
  try {
    const distrust = findDistrust(file, path, uid);
    return distrust === undefined ? { text: readFileSync(file, "utf8") } : { distrust };
  } finally {
    closeSync(file);
  }
}

function findDistrust(file: number, path: string, uid: number | undefined): string | undefined {
  const found = fstatSync(file);
  if (!found.isFile()) return "it is no regular file";
  const inSystem = dirname(resolve(path)) === systemFolder;
  const owner = { uid, inSystem };
  const fault = findFault(file, found, owner);
  if (fault !== undefined) return `it ${fault}`;
  const folders = new Set([realpathSync.native(dirname(path)), dirname(realpathSync.native(path))]);
  for (const folder of folders) {
    const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      const why = findFault(descriptor, fstatSync(descriptor), owner);
      if (why !== undefined) return `its folder ${folder} ${why}`;
    } finally {
      closeSync(descriptor);
    }
    const tree = inSystem ? undefined : findWorkTree(folder);
    if (tree !== undefined) return `it is in the Git work tree ${tree}`;
  }
  return undefined;
}

interface Owner {
  uid: number | undefined;
  /** Whether the file is in the folder of the system. */
  inSystem: boolean;
}

/** Returns why somebody else may have written a file or a folder. */
function findFault(descriptor: number, found: Stats, { uid, inSystem }: Owner): string | undefined {
  // A container keeps the owner that a file has on the host.
  if (uid !== undefined && found.uid !== uid && found.uid !== 0)
    return inSystem && isReadOnly(descriptor) ? undefined : `belongs to uid ${found.uid}`;
  return (found.mode & 0o022) === 0 || isReadOnly(descriptor)
    ? undefined
    : "can be written by its group or by everybody";
}

/**
 * Reports whether an open file is on a read-only mount, as the volumes of Kubernetes are, whose folders everybody could write.
 * Neither a mode nor access(2) tells: the mount of a descriptor is in proc(5).
 */
function isReadOnly(descriptor: number): boolean {
  try {
    const [, id] = /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
    const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    const fields = mounts.map((line) => line.split(" ")).find(([first]) => first === id);
    if (id === undefined || fields === undefined) return false;
    // The options of the mount, and those of the file system after a hyphen and its type and source.
    const ofSystem = fields[fields.indexOf("-", 6) + 3] ?? "";
    return [fields[5] ?? "", ofSystem].some((options) => options.split(",").includes("ro"));
  } catch {
    return false;
  }
}

/** Finds the nearest folder, from this one upwards, that has an entry `.git`. One that cannot be looked for may be there. */
function findWorkTree(folder: string): string | undefined {
  for (let one = folder; ; one = dirname(one)) {
    try {
      lstatSync(join(one, ".git"));
      return one;
    } catch (error) {
      if (codeOf(error) !== "ENOENT") return one;
    }
    if (one === dirname(one)) return undefined;
  }
}
