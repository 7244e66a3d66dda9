import type { KeyRecord } from "../../storage/records.ts";

export type KeyState = "live" | "expired" | "revoked";

/** Returns the state of a key; revoked takes precedence over expired. */
export function stateOf(record: KeyRecord, time: number): KeyState {
  if (record.revokedAt !== undefined) return "revoked";
  return record.expiresAt !== undefined && Date.parse(record.expiresAt) <= time ? "expired" : "live";
}
