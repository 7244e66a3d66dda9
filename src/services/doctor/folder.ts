import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { toStoreError } from "../../storage/errors.ts";
import { closeFolder, findOpenings } from "../../storage/folder-modes.ts";
import { type DoctorDeps, error, type Finding, fromReason, note, ok, warning } from "./finding.ts";

/** File systems by the magic numbers of statfs(2). */
const fileSystems: ReadonlyMap<number, readonly [name: string, trouble: "locks" | "gone"]> = new Map([
  [0x6969, ["NFS", "locks"]],
  [0xff534d42, ["CIFS", "locks"]],
  [0xfe534d42, ["SMB", "locks"]],
  [0x517b, ["SMB", "locks"]],
  [0x65735546, ["FUSE", "locks"]],
  [0x01021997, ["9p (a folder shared with a virtual machine)", "locks"]],
  [0x786f4256, ["vboxsf (a folder shared with a virtual machine)", "locks"]],
  [0x00c36400, ["CephFS", "locks"]],
  [0x01021994, ["tmpfs", "gone"]],
  [0x858458f6, ["ramfs", "gone"]],
  [0x794c7630, ["overlay", "gone"]],
]);

const mebibyte = 1024 * 1024;

/** `usable` is true if the folder exists and can be read. */
export async function checkFolder(
  path: string,
  { uid }: DoctorDeps,
): Promise<{ findings: Finding[]; usable: boolean }> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { findings: checkPlace(path, uid), usable: false };
  if (!found.isDirectory()) {
    const choose = "Choose a folder with storage.path.";
    return { findings: [error("storage.folder", `${path} is not a folder.`, choose)], usable: false };
  }
  const refusal = mayWrite(path, uid);
  if (refusal !== undefined) return { findings: [refusal], usable: false };
  return {
    findings: [
      ...checkRights(path, found, uid),
      ...checkOpenings(path, found, uid),
      ...checkSpace(path),
      ...checkFileSystem(path),
    ],
    usable: true,
  };
}

/** Checks the nearest existing parent, in which the folder will be created. */
function checkPlace(path: string, uid: number | undefined): Finding[] {
  let parent = dirname(path);
  while (statSync(parent, { throwIfNoEntry: false }) === undefined && dirname(parent) !== parent)
    parent = dirname(parent);
  const refusal = mayWrite(parent, uid);
  if (refusal !== undefined) return [refusal];
  return [
    note(
      "storage.folder",
      `There is no store in ${path} yet; the first start creates it.`,
      "If there should be one, check storage.path and whether a volume is mounted.",
    ),
    ...checkSpace(parent),
    ...checkFileSystem(parent),
  ];
}

function mayWrite(path: string, uid: number | undefined): Finding | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (cause) {
    const { reason } = toStoreError("check", path, cause, uid);
    return fromReason("storage.folder", reason, "Give the folder to the server's user.");
  }
}

function checkRights(
  path: string,
  { uid: owner, mode }: { uid: number; mode: number },
  uid: number | undefined,
): Finding[] {
  const shown = (mode & 0o777).toString(8);
  if (uid === 0 && owner !== 0) {
    return [
      note(
        "storage.folder",
        `${path} belongs to uid ${owner}; as root, this command cannot check its permissions.`,
        `Run doctor as that user: sudo -u '#${owner}' penknife doctor`,
      ),
    ];
  }
  if ((mode & 0o002) !== 0) {
    const action = `Close it: chmod 700 ${path}`;
    return [
      error("storage.folder", `Everybody on this machine can write to ${path} (mode ${shown}).`, action),
    ];
  }
  if ((mode & 0o077) !== 0) {
    const action = `Close it if nobody else administers it: chmod 700 ${path}`;
    return [
      note("storage.folder", `Other users can list ${path} (mode ${shown}), but not read its files.`, action),
    ];
  }
  return [ok("storage.folder", `${path} exists, and only its owner (uid ${owner}) can use it.`)];
}

/** Checks what `checkRights` does not: the group, the owner, and the folders above. */
function checkOpenings(
  path: string,
  { uid: owner, mode }: { uid: number; mode: number },
  uid: number | undefined,
): Finding[] {
  // As root, the check stands in for the server, which most likely runs as the owner.
  const own = uid === 0 ? owner : uid;
  return findOpenings(path, own)
    .filter((opening) => (mode & 0o002) === 0 || !opening.startsWith(`${path} `))
    .map((opening) => warning("storage.modes", opening, closeFolder(path)));
}

function checkSpace(path: string): Finding[] {
  const { bavail, bsize, files, ffree } = statfsSync(path);
  const free = Math.floor((bavail * bsize) / mebibyte);
  const space = {
    what: `${free} MiB are free for ${path}`,
    action: "Free some space, or move the folder (storage.path) to a larger disk.",
  };
  const nodes = {
    what: `${ffree} inodes are free for ${path}, and logs and inboxes are files`,
    action: "Remove small files, or move the folder (storage.path) elsewhere.",
  };
  return [
    checkFree("storage.space", free, 10, 200, space),
    // File systems without a fixed number of inodes report 0.
    ...(files === 0 ? [] : [checkFree("storage.inodes", ffree, 100, 1_000, nodes)]),
  ];
}

function checkFree(
  check: string,
  free: number,
  least: number,
  few: number,
  { what, action }: { what: string; action: string },
): Finding {
  if (free >= few) return ok(check, `${what}.`);
  const message = `Only ${what}.`;
  return free < least ? error(check, message, action) : warning(check, message, action);
}

function checkFileSystem(path: string): Finding[] {
  // The number is signed on some platforms.
  const known = fileSystems.get(statfsSync(path).type >>> 0);
  if (known === undefined) return [ok("storage.fileSystem", `${path} is on a local file system.`)];
  const [name, trouble] = known;
  return trouble === "locks"
    ? [
        warning(
          "storage.fileSystem",
          `${path} is on ${name}, where locks may be lost: two servers could write the same folder.`,
          "Use a local disk, or Redis (storage.driver redis).",
        ),
      ]
    : [
        warning(
          "storage.fileSystem",
          `${path} is on ${name}, which is lost with the machine or the container, and all keys with it.`,
          "Mount a volume there (docker run -v penknife-data:/data …).",
        ),
      ];
}
