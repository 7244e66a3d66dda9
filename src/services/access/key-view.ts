import { toInstant } from "../../catalog/duration.ts";
import type { KeyUses } from "../../storage/key-uses.ts";
import type { KeyRecord } from "../../storage/records.ts";
import { type KeyState, stateOf } from "./keys.ts";

/** What deserves attention in a live key. */
export type KeyWarning = "never_expires" | "unused" | "expires_soon";

/** A key as shown to its owner and the operator, without its hash. */
export type KeyView = Omit<KeyRecord, "v" | "hash"> & {
  state: KeyState;
  /** The minute of the last use; null if none is known. */
  lastUsedAt: string | null;
  warnings: KeyWarning[];
};

const dayMs = 86_400_000;
const unusedMs = 90 * dayMs;
const soonMs = 14 * dayMs;

export function toKeyView(record: KeyRecord, uses: KeyUses, time: number): KeyView {
  const { v: _version, hash: _hash, incarnation: _incarnation, ...shown } = record;
  const last = uses.last.get(record.id);
  return {
    ...shown,
    state: stateOf(record, time),
    lastUsedAt: last === undefined ? null : toInstant(last),
    warnings: warningsOf(record, uses, time),
  };
}

/**
 * Returns the warnings about a key; none if it no longer works. A key counts as unused only if uses were recorded for
 * the whole of the 90 days: before the first recorded one, nothing is known.
 */
export function warningsOf(record: KeyRecord, { since, last }: KeyUses, time: number): KeyWarning[] {
  if (stateOf(record, time) !== "live") return [];
  const { id, createdAt, expiresAt } = record;
  const knownSince = Math.max(Date.parse(createdAt), since ?? Infinity);
  const idle = time - (last.get(id) ?? knownSince);
  return [
    ...(expiresAt === undefined ? (["never_expires"] as const) : []),
    ...(idle >= unusedMs ? (["unused"] as const) : []),
    ...(expiresAt !== undefined && Date.parse(expiresAt) - time <= soonMs ? (["expires_soon"] as const) : []),
  ];
}
