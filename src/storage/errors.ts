/** The operation that failed: a closed list, usable as a metric label. */
export type StoreOperation =
  | "open"
  | "lock"
  | "read"
  | "write"
  | "count"
  | "journal"
  | "sync"
  | "compact"
  | "check"
  | "socket";

/**
 * The store cannot do its work. `reason` is one sentence for the operator that says what to do; it may name paths, so
 * it belongs in a log or on a terminal, never in an answer.
 */
export class StoreError extends Error {
  readonly operation: StoreOperation;
  readonly reason: string;

  constructor(operation: StoreOperation, reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = "StoreError";
    this.operation = operation;
    this.reason = reason;
  }
}

export const storeClosed = (operation: StoreOperation): StoreError =>
  new StoreError(operation, "The store is closed.");

/** Explains an error of the file system to the operator. */
export function toStoreError(
  operation: StoreOperation,
  path: string,
  cause: unknown,
  uid?: number,
): StoreError {
  if (cause instanceof StoreError) return cause;
  return new StoreError(operation, toReason(operation, path, cause, uid), cause);
}

function toReason(operation: StoreOperation, path: string, cause: unknown, uid: number | undefined): string {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  // The server made the socket for its own user; changing its owner would lock the server out.
  if (operation === "socket" && (code === "EACCES" || code === "EPERM"))
    return `${path} belongs to the user of the server that listens on it: permission denied. Run this as that user: sudo -u '#'"$(stat -c %u ${path})" penknife …`;
  return sentence(path, cause, uid);
}

function sentence(path: string, cause: unknown, uid: number | undefined): string {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  switch (code) {
    case "EACCES":
    case "EPERM": {
      const who = uid === undefined ? "this user" : `uid ${uid}`;
      const owner = uid === undefined ? "$(id -u)" : `${uid}:${uid}`;
      return `${path} cannot be used by ${who}: permission denied. Give it the folder: chown -R ${owner} ${path}`;
    }
    case "EROFS":
      return `${path} is on a read-only file system. If it was not before, its disk is failing: see the kernel's log (dmesg). Otherwise mount it writable (docker run -v penknife-data:/data …) or choose another folder with storage.path.`;
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return `There is no space left for ${path}. Free some space or choose another folder with storage.path.`;
    case "ENOTDIR":
    case "EEXIST":
      return `${path} is not a folder. Choose a folder with storage.path.`;
    case "ENOENT":
      return `${path} is gone. Was the folder moved or unmounted while it was in use?`;
    case "EMFILE":
    case "ENFILE":
      return `${path} cannot be opened: too many open files. Raise the limit (ulimit -n).`;
    default:
      return `${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}
