import { type FileHandle, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { openSized } from "../own-file.ts";
import { syncFolder } from "../replace-file.ts";

/** An open file of lines to which bytes are appended, and which is never changed otherwise. */
export interface AppendFile {
  /** Bytes of the file that are kept. */
  readonly size: number;
  /** What lies beyond `size` is unknown, and every append is rejected: go on in another file. */
  readonly spoilt: boolean;
  /**
   * Resolves with the offset of the bytes once they are on the disk. Calls must not overlap. Rejects with the error of the
   * file system if none of them is kept.
   */
  append(bytes: Buffer): Promise<number>;
  close(): Promise<void>;
}

export interface AppendFileOptions {
  /** First line of a new file, written with the first bytes. */
  header?: string;
  /** Bytes to keep of an existing file. By default all of them, and a last line that a crash has torn is ended. */
  keep?: number;
  /** Refuses an existing file; if a new one cannot be opened, none is left. */
  isNew?: boolean;
  /** False if bytes need not survive a power failure: they are then handed to the kernel, and survive `kill -9`. */
  sync?: boolean;
}

/** Opens a file to append to, and makes it if it is missing. @throws StoreError, or the error of the file system. */
export async function openAppendFile(path: string, options: AppendFileOptions = {}): Promise<AppendFile> {
  const { keep, isNew = false, sync = true } = options;
  const { file, size: found } = await openSized(path, isNew ? "create-append" : "read-append");
  let size = keep ?? found;
  let fault: unknown;
  let prefix = "";
  try {
    if (keep !== undefined) await file.truncate(keep);
    // An earlier attempt may have made the file and failed to sync the folder.
    if (size === 0 && sync) await syncFolder(dirname(path));
    if (size === 0) prefix = options.header ?? "";
    else if (keep === undefined && !(await endsWithLine(file, size))) prefix = "\n";
  } catch (error) {
    await file.close();
    if (isNew) await rm(path, { force: true }).catch(() => {});
    throw error;
  }

  return {
    get size() {
      return size;
    },
    get spoilt() {
      return fault !== undefined;
    },
    async append(bytes) {
      if (fault !== undefined) throw fault;
      const all = prefix === "" ? bytes : Buffer.concat([Buffer.from(prefix), bytes]);
      let isWritten = false;
      try {
        for (let done = 0; done < all.length;) done += (await file.write(all, done)).bytesWritten;
        isWritten = true;
        if (sync) await file.datasync();
      } catch (error) {
        // After a failed sync the kernel takes the pages for clean, and the next sync would succeed.
        if (isWritten) fault = error;
        await file.truncate(size).catch((cause: unknown) => (fault = cause));
        throw error;
      }
      prefix = "";
      size += all.length;
      return size - bytes.length;
    },
    close: () => file.close(),
  };
}

/** Opens a file, appends to it and closes it. Returns its size. */
export async function appendOnce(path: string, text: string, options?: AppendFileOptions): Promise<number> {
  const file = await openAppendFile(path, options);
  try {
    await file.append(Buffer.from(text));
    return file.size;
  } finally {
    await file.close();
  }
}

async function endsWithLine(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}
