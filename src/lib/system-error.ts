/** Describes an error of the operating system in words. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return (
    { ...usageReasons, ...machineReasons }[code] ?? (error instanceof Error ? error.message : String(error))
  );
}

/** Reports whether another path would avoid the error, which makes it a usage error and not a failure of the machine. */
export const isUsageReason = (error: unknown): boolean => Object.hasOwn(usageReasons, codeOf(error));

export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

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
