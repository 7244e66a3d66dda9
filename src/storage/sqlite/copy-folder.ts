import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreError } from "../errors.ts";

/** A private folder for a copy of a database. */
export interface CopyFolder {
  path: string;
  remove(): void;
  /** Returns the opened copy; closing it removes the folder. */
  removedWith<Opened extends { close(): void }>(opened: Opened): Opened;
}

/** Makes the folder in that for temporary files. @throws StoreError */
export function makeCopyFolder(): CopyFolder {
  const path = makePlace();
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  return {
    path,
    remove,
    removedWith: (opened) => ({
      ...opened,
      close() {
        opened.close();
        remove();
      },
    }),
  };
}

function makePlace(): string {
  try {
    return mkdtempSync(join(tmpdir(), "penknife-records-"));
  } catch (error) {
    throw new StoreError(
      "open",
      `The database cannot be copied to ${tmpdir()} to be read: ${(error as Error).message}. Set TMPDIR to a folder that can be written.`,
      error,
    );
  }
}
