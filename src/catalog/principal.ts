export type Plan = "free" | "pro" | "team";

/**
 * A person who signed in, as a provider or a trusted proxy attested: `issuer` and `subject` together identify a person,
 * never an address or a name.
 */
export interface Person {
  /** The issuer URL of the provider, or `proxy`. */
  issuer: string;
  /** The id of the person at the issuer. */
  subject: string;
  /** For display only. */
  name?: string;
}

/**
 * The caller. `key` carries the account, `session` the account or `operator`; `anonymous` is counted by `ip`;
 * `local` is the operator at the command line and is never counted.
 */
export interface Principal {
  kind: "anonymous" | "key" | "session" | "local";
  account?: string;
  /** Distinguishes the account from others that had or will have its name; absent for one of an older release. */
  incarnation?: string;
  plan?: Plan;
  /** The quota of the account, as read for this request; absent in a principal that outlives its request. */
  limit?: number;
  keyId?: string;
  /** `ses_…`. A session has a quota of its own, so that an owner can still revoke a key that used up the account's. */
  sessionId?: string;
  /** Set in the session of a person who signed in without a code. */
  person?: Person;
  /** When the session began, in epoch milliseconds. */
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
