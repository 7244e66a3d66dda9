import type { LoginRecord, SessionRecord } from "../../storage/records.ts";

export type SessionState = "live" | "expired" | "revoked";

/** Largest difference between the clocks of two nodes. */
const skewMs = 600_000;

/** Returns the state of a session; revoked takes precedence over expired. */
export const sessionStateOf = (record: SessionRecord, time: number): SessionState =>
  record.revokedAt !== undefined ? "revoked" : hasEnded(record, time) ? "expired" : "live";

/**
 * Reports whether a record has expired. A clock that was set back must not extend its life, so a record from the
 * future, beyond the skew of clocks, has expired too.
 */
export const hasEnded = ({ createdAt, expiresAt }: LoginRecord | SessionRecord, time: number): boolean =>
  time >= Date.parse(expiresAt) || time < Date.parse(createdAt) - skewMs;
