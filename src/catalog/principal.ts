export type Plan = "free" | "pro" | "team";

/**
 * Who is calling. `key` carries the account, `session` the account or `operator`; `anonymous` is counted by `ip`;
 * `local` is the operator at the command line and is never counted.
 */
export interface Principal {
  kind: "anonymous" | "key" | "session" | "local";
  account?: string;
  plan?: Plan;
  /** The quota of the account, as read for this request; absent in a principal that outlives its request. */
  limit?: number;
  keyId?: string;
  /** `ses_…`. A session has a quota of its own, so that an owner can still revoke a key that used up the account's. */
  sessionId?: string;
  /** When the code of the session was exchanged, in epoch milliseconds. */
  signedInAt?: number;
  /** Whether this is an operator's session, which belongs to no account and sees all of them. */
  operator?: true;
  /** The resolved client address, for counting and for the log of failures; never a metric label. */
  ip?: string;
}

/** The state of the caller's window after this request was counted. */
export interface Quota {
  /** Requests in the window. */
  limit: number;
  used: number;
  /** max(0, limit − used). */
  remaining: number;
  /** When the window ends, in epoch milliseconds. */
  resetAt: number;
}

/** Proof that a call was counted; `run` demands it. Made by `admit` only. */
export interface Ticket {
  principal: Principal;
  quota?: Quota;
  /** The id of the counted request, for the log. */
  requestId?: string;
}
