import { toInstant } from "../../../catalog/duration.ts";
import { recordVersion, type LoginRecord, type SessionRecord } from "../../../storage/records.ts";
import { minuteMs } from "../../../storage/key-uses.ts";

export type SessionState = "live" | "expired" | "revoked";

/** Largest difference between the clocks of two nodes. */
const skewMs = 600_000;

/**
 * Returns the state of a session; revoked takes precedence over expired.
 * @param lastUse The minute of its last use, from the store.
 */
export const sessionStateOf = (record: SessionRecord, time: number, lastUse?: number): SessionState =>
  record.revokedAt !== undefined
    ? "revoked"
    : hasEnded(record, time) || isIdle(record, time, lastUse)
      ? "expired"
      : "live";

/** A session ends after this time without a request. */
export const idleMs = 30 * minuteMs;

/**
 * Reports whether a session was idle for too long. `lastUse` is the minute of its last use as stored, where it arrives up
 * to a minute late.
 */
const isIdle = ({ createdAt }: SessionRecord, time: number, lastUse = 0): boolean =>
  time - Math.max(Date.parse(createdAt), lastUse) >= idleMs + 2 * minuteMs;

/**
 * Reports whether a record has expired. A clock that was set back must not extend its life, so a record from the
 * future, beyond the skew of clocks, has expired too.
 */
export const hasEnded = ({ createdAt, expiresAt }: LoginRecord | SessionRecord, time: number): boolean =>
  time >= Date.parse(expiresAt) || time < Date.parse(createdAt) - skewMs;

/** Returns the fields by which the record of a new code or session begins and ends. */
export const lifeOf = (
  hash: string,
  time: number,
  lifeMs: number,
): Pick<LoginRecord, "v" | "hash" | "createdAt" | "expiresAt"> => ({
  v: recordVersion,
  hash,
  createdAt: toInstant(time),
  expiresAt: toInstant(time + lifeMs),
});
