import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { damagedText } from "../../../src/storage/sqlite/database.ts";
import { openRecordsCopy } from "../../../src/storage/sqlite/copy-records.ts";

/** A folder for servers whose data folder is a separate disk, which tests fill and break. */
export interface Disk {
  cwd: string;
  /** Its `penknife-data`. */
  data: string;
}

const page = 4_096;
const mib = 1024 * 1024;

/** Returns why no file system can be mounted here; undefined if one can. */
export function mountRefusal(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "penknife-disk-"));
  const { status, stderr, error } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "none", folder], {
    encoding: "utf8",
  });
  if (status === 0) execFileSync("umount", [folder]);
  rmSync(folder, { recursive: true });
  return status === 0 ? undefined : (error?.message ?? firstLine(stderr));
}

/** Returns why no ext4 can be mounted and broken here; undefined if one can. */
export function ext4Refusal(): string | undefined {
  const disks = createDisks();
  try {
    disks.ext4().fail();
    return undefined;
  } catch (error) {
    return firstLine((error as { stderr?: Buffer }).stderr?.toString() || (error as Error).message);
  } finally {
    disks.close();
  }
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? "";

/** Disks for tests; `close` unmounts all of them, whatever their state. */
export function createDisks() {
  const folders: string[] = [];
  const mounts: string[] = [];

  function makeDisk(): Disk {
    const cwd = mkdtempSync(join(tmpdir(), "penknife-disk-"));
    folders.push(cwd);
    const data = join(cwd, "penknife-data");
    mkdirSync(data, { mode: 0o700 });
    return { cwd, data };
  }

  function mount(at: string, ...args: string[]): void {
    execFileSync("mount", [...args, at], { stdio: ["ignore", "ignore", "pipe"] });
    mounts.push(at);
  }

  function unmount(at: string, ...args: string[]): void {
    execFileSync("umount", [...args, at]);
    mounts.splice(mounts.lastIndexOf(at), 1);
  }

  return {
    plain: makeDisk,
    /** Mounts a file system of this many bytes in memory. */
    small(size: number): Disk {
      const disk = makeDisk();
      mount(disk.data, "-t", "tmpfs", "-o", `size=${size},mode=700`, "none");
      return disk;
    },
    /**
     * Mounts the folder read-only over itself, for files opened from now on; returns a function that unmounts it. A file
     * system with files open for writing cannot be remounted read-only.
     */
    makeReadOnly({ data }: Disk): () => void {
      mount(data, "--bind", data);
      execFileSync("mount", ["-o", "remount,ro,bind", data]);
      // Lazily, because the server may be reading a file at this moment.
      return () => unmount(data, "--lazy");
    },
    /** An ext4 that the kernel remounts read-only on an error. */
    ext4() {
      const disk = makeDisk();
      const image = join(disk.cwd, "image");
      writeFileSync(image, "");
      truncateSync(image, 8 * mib);
      execFileSync("mkfs.ext4", ["-q", image], { stdio: ["ignore", "ignore", "pipe"] });
      const attach = () => mount(disk.data, "-o", "loop,errors=remount-ro", image);
      attach();
      return {
        ...disk,
        /** Breaks it like a bad sector, under all open files. */
        fail() {
          const device = execFileSync("findmnt", ["-no", "SOURCE", disk.data], { encoding: "utf8" });
          writeFileSync(`/sys/fs/ext4/${basename(device.trim())}/trigger_fs_error`, "penknife test");
        },
        /** Repairs it like an operator: unmount, check, mount. */
        repair() {
          unmount(disk.data);
          // 1: faults were found and repaired.
          const { status } = spawnSync("e2fsck", ["-fy", image], { stdio: "ignore" });
          if (status !== 0 && status !== 1) throw new Error(`e2fsck ended with ${status}`);
          attach();
        },
      };
    },
    close(): void {
      for (const at of mounts.splice(0).toReversed())
        spawnSync("umount", ["--lazy", at], { stdio: "ignore" });
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Disks = ReturnType<typeof createDisks>;

const ballastOf = ({ data }: Disk): string => join(data, "ballast");

/** Fills the disk except for this many pages. */
export function fill(disk: Disk, pagesLeft = 0): void {
  const file = openSync(ballastOf(disk), "w");
  let size = 0;
  try {
    for (let step = 64 * page; step >= page;)
      try {
        size += writeSync(file, Buffer.alloc(step, 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        step /= 2;
      }
    ftruncateSync(file, Math.max(0, size - (size % page) - pagesLeft * page));
  } finally {
    closeSync(file);
  }
}

export const free = (disk: Disk): void => rmSync(ballastOf(disk));

/** Lists what is wrong in a data folder: damaged records, and remains of interrupted writes. */
export function damageIn({ data }: Pick<Disk, "data">): string[] {
  const names = readdirSync(data, { recursive: true, encoding: "utf8" });
  const database = openRecordsCopy(data, { onError: () => {} });
  try {
    return [
      ...names.filter((name) => name.endsWith(".tmp")),
      ...database.findFaults(),
      ...["accounts", "keys"].flatMap((kind) =>
        database
          .entries(kind, { limit: 1_000_000 })
          .filter((id) => database.read(`${kind}:${id}`) === damagedText),
      ),
    ];
  } finally {
    database.close();
  }
}
