import type { LoginRecord, SessionRecord } from "../../storage/records.ts";

export type SessionState = "live" | "expired" | "revoked";

/** By which the clocks of nodes may differ. */
const skewMs = 600_000;

/** One that is both revoked and expired is revoked: that is the news. */
export const sessionStateOf = (record: SessionRecord, time: number): SessionState =>
  record.revokedAt !== undefined ? "revoked" : hasEnded(record, time) ? "expired" : "live";

/**
 * A clock that was set back must not let anything live on: what comes from the future, by more than two clocks differ,
 * is over as well.
 */
export const hasEnded = ({ createdAt, expiresAt }: LoginRecord | SessionRecord, time: number): boolean =>
  time >= Date.parse(expiresAt) || time < Date.parse(createdAt) - skewMs;
