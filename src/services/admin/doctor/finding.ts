export const levels = ["ok", "note", "warning", "error"] as const;
export type Level = (typeof levels)[number];

/** What was looked at, and what came out. */
export interface Finding {
  /** The topic and the thing, such as `storage.lock`. */
  check: string;
  level: Level;
  /** One sentence that says what is so. */
  message: string;
  /** One sentence that says what to do; empty where nothing is to be done. */
  action: string;
}

export const ok = (check: string, message: string): Finding => ({ check, level: "ok", message, action: "" });

export const note = (check: string, message: string, action: string): Finding => ({
  check,
  level: "note",
  message,
  action,
});

export const warning = (check: string, message: string, action: string): Finding => ({
  check,
  level: "warning",
  message,
  action,
});

export const error = (check: string, message: string, action: string): Finding => ({
  check,
  level: "error",
  message,
  action,
});

/** Out of the reason of a StoreError, which says first what is so, and then what to do. */
export function fromReason(check: string, reason: string, fallback: string): Finding {
  const end = /\.(?= \p{Lu})/u.exec(reason)?.index;
  if (end === undefined) return error(check, reason, fallback);
  return error(check, reason.slice(0, end + 1), reason.slice(end + 2));
}

/** The machine as the checks see it. */
export interface DoctorDeps {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  processors: number;
  uid?: number;
  /** What the system tells of itself, by path; undefined where there is no such file. */
  readSystem(path: string): string | undefined;
  /** Bytes of memory of the machine. */
  totalMemory: number;
}
