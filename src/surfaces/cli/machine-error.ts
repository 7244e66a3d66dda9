import type { ToolError } from "../../catalog/errors.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

/** A failure of the machine, not a usage error: exit status 3. */
export class MachineError extends Error {}

/** Makes the error for a file that cannot be read: a usage error, or a failure of the machine. */
export const unreadable = (path: string, error: unknown): ToolError | MachineError =>
  toError(`${toShown(path)} cannot be read: ${reasonOf(error)}`, error);

/** Makes the error for a file that cannot be written. */
export const unwritable = (path: string, error: unknown): ToolError | MachineError =>
  toError(
    `${toShown(path)} cannot be written: ${codeOf(error) === "ENOENT" ? "there is no such folder" : reasonOf(error)}`,
    error,
  );

const toShown = (path: string): string => (path === "" ? "An empty name" : visible(path));

const toError = (message: string, error: unknown): ToolError | MachineError =>
  Object.hasOwn(usageReasons, codeOf(error)) ? usageError(message) : new MachineError(message);

/** Describes an error of the operating system in words. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return (
    { ...usageReasons, ...machineReasons }[code] ?? (error instanceof Error ? error.message : String(error))
  );
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** Errors that another path would avoid, which makes them usage errors. */
const usageReasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is not a folder",
  ELOOP: "its links form a loop",
  ENAMETOOLONG: "its name is too long",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENXIO: "it is a socket",
  ERR_FS_FILE_TOO_LARGE: "it is larger than 2 GiB",
  ERR_INVALID_ARG_VALUE: "its name contains a NUL character",
};

const machineReasons: Readonly<Record<string, string>> = {
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EIO: "the disk reported an input/output error",
  EMFILE: "this process has too many files open (ulimit -n)",
  ENFILE: "the machine has too many files open",
  EBADF: "it is closed",
};
