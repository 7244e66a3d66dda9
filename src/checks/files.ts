import type { Entry } from "./list-entries.ts";

/** The files of this machine, as checks use them; relative paths start from the current folder. */
export interface FileAccess {
  /** The absolute path of the current folder. */
  readonly cwd: string;
  /** Returns the text of a file; undefined if there is none. */
  readText(path: string): string | undefined;
  /**
   * Reads a regular file, and does not follow a link in the last name of its path. The largest file is given in bytes.
   * @throws the error of the operating system
   */
  readRegular(path: string, max: number): RegularFile;
  /** Describes a path after links; undefined if nothing is there. */
  stat(path: string): { kind: "file" | "folder"; regular: boolean } | undefined;
  /** Lists a folder. @throws the error of the operating system */
  entries(path: string): Entry[];
  /** Returns the absolute path without links, as far as there are any; a link to nothing leads to its target. */
  realPath(path: string): string;
}

/** The bytes of a file; its size and first 4 KiB if the size is above the limit; or what there is in its place. */
export type RegularFile =
  | { bytes: Uint8Array }
  | { size: number; start: Uint8Array }
  | "missing"
  | "link"
  | "special";
