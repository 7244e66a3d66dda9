export type Level = "debug" | "info" | "warn" | "error";

/** One request in the log. Empty strings are left out. */
export interface RequestEntry {
  requestId: string;
  method: string;
  /** The path without its query, which may contain keys and documents. */
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
  /** The kind of operation on a path with several, such as that of a GraphQL document. */
  operation: string;
  /** "ok", the code of the refusal, or "cancelled". */
  outcome: string;
}

export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;
