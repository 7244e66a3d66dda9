import type { Runtime } from "../../runtime.ts";

export const levels = ["ok", "note", "warning", "error"] as const;
export type Level = (typeof levels)[number];

/** The result of one check. */
export interface Finding {
  /** The topic and the subject, such as `storage.lock`. */
  check: string;
  level: Level;
  /** One sentence: what was found. */
  message: string;
  /** One sentence: what to do; empty if nothing. */
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

/**
 * Creates a finding from the reason of a StoreError, whose first sentence says what is wrong and whose rest says
 * what to do.
 */
export function fromReason(check: string, reason: string, fallback: string): Finding {
  const end = /\.(?= \p{Lu})/u.exec(reason)?.index;
  if (end === undefined) return error(check, reason, fallback);
  return error(check, reason.slice(0, end + 1), reason.slice(end + 2));
}

const maxNamed = 3;

/** Names the first of many things. */
export const nameSome = (names: Iterable<string>): string => {
  const sorted = [...names].toSorted();
  return `${sorted.slice(0, maxNamed).join(", ")}${sorted.length > maxNamed ? ", …" : ""}`;
};

/** The machine as the checks see it. */
export interface DoctorDeps {
  runtime: Runtime;
  processors: number;
  uid?: number;
  /** Reads a file of the system, such as one in /proc; undefined if there is none. */
  readSystem(path: string): string | undefined;
  /** Bytes of memory of the machine. */
  totalMemory: number;
}
