export type Level = "debug" | "info" | "warn" | "error";

/** One request, as the log shows it. Strings that are "" are left out. */
export interface RequestEntry {
  requestId: string;
  method: string;
  /** Without the query: keys and documents end up there. */
  path: string;
  status: number;
  durationMs: number;
  bytesIn: number;
  bytesOut: number;
  ip: string;
  account: string;
  keyId: string;
  sessionId: string;
  tool: string;
  /** The kind of operation, on a path that takes several: that of a GraphQL document. */
  operation: string;
  /** "ok", the code of the refusal, or "cancelled". */
  outcome: string;
}

export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;
