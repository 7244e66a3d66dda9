import { z } from "zod";
import { toInstant, toInstantOrNull } from "../../catalog/duration.ts";
import { recordIdOf } from "../../services/access/key-format.ts";
import { stateOf } from "../../services/access/key-state.ts";
import type { IssuedKey } from "../../services/access/keys.ts";
import type { KeyUses } from "../../storage/key-uses.ts";
import type { KeyRecord } from "../../storage/records.ts";
import type { Context } from "../context.ts";
import { readUses } from "../uses.ts";

/** A key as shown to its owner and the operator, without its hash. */
export const keyView = z.strictObject({
  id: z.string(),
  account: z.string(),
  name: z.string().optional(),
  start: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  revokedAt: z.string().optional(),
  revokeReason: z.string().optional(),
  rotatedFrom: z.string().optional(),
  rotatedTo: z.string().optional(),
  state: z.enum(["live", "expired", "revoked"]),
  /** The minute of the last use; null if none is known. */
  lastUsedAt: z.string().nullable(),
  /** Reasons to look at a live key. */
  warnings: z.array(z.enum(["never_expires", "unused", "expires_soon"])),
});

export type KeyView = z.output<typeof keyView>;
export type KeyWarning = KeyView["warnings"][number];

/** The only answer with a key, which is shown once. `expiresAt` is null for a key that does not expire. */
export const issuedView = z.strictObject({
  id: z.string(),
  key: z.string(),
  account: z.string(),
  expiresAt: z.string().nullable(),
});

const dayMs = 86_400_000;
const unusedMs = 90 * dayMs;
const soonMs = 14 * dayMs;

export function toKeyView(record: KeyRecord, uses: KeyUses, time: number): KeyView {
  const { v: _version, hash: _hash, incarnation: _incarnation, ...shown } = record;
  return {
    ...shown,
    state: stateOf(record, time),
    lastUsedAt: toInstantOrNull(uses.last.get(record.id)),
    warnings: warningsOf(record, uses, time),
  };
}

/**
 * Returns the warnings about a key; none if it no longer works, and none if another has replaced it, because it is meant to
 * end. A key counts as unused only if uses were recorded for
 * the whole of the 90 days: before the first recorded one, nothing is known.
 */
export function warningsOf(record: KeyRecord, { since, last }: KeyUses, time: number): KeyWarning[] {
  if (stateOf(record, time) !== "live" || record.rotatedTo !== undefined) return [];
  const { id, createdAt, expiresAt } = record;
  const knownSince = Math.max(Date.parse(createdAt), since ?? Infinity);
  const idle = time - (last.get(id) ?? knownSince);
  return [
    ...(expiresAt === undefined ? (["never_expires"] as const) : []),
    ...(idle >= unusedMs ? (["unused"] as const) : []),
    ...(expiresAt !== undefined && Date.parse(expiresAt) - time <= soonMs ? (["expires_soon"] as const) : []),
  ];
}

export const toIssuedView = ({ key, record }: IssuedKey): z.output<typeof issuedView> => ({
  id: record.id,
  key,
  account: record.account,
  expiresAt: record.expiresAt ?? null,
});

/** Reads when a key was last used, and shows it. */
export const readKeyView = async (context: Context, record: KeyRecord): Promise<KeyView> =>
  toKeyView(record, await readUses(context, [record.id]), context.runtime.now());

/** A change that was made must not be reported as failed because the last use cannot be read. */
export const toChangedKey = (context: Context, record: KeyRecord): Promise<KeyView> =>
  readKeyView(context, record).catch(() => toKeyView(record, { last: new Map() }, context.runtime.now()));

/** Revokes keys in the memory of this server. Returns a text that says which. */
export function overruleKeys({ store, runtime }: Context, records: readonly KeyRecord[]): string | undefined {
  const live = records.filter(({ revokedAt }) => revokedAt === undefined);
  const revokedAt = toInstant(runtime.now());
  for (const record of live) store.keys.overrule(recordIdOf(record.hash), { ...record, revokedAt });
  if (live.length === 0) return undefined;
  return live.length === 1 ? `The key ${live[0]?.id}` : `${live.length} keys`;
}

/** Returns the key alone for standard output, and a note about its end. */
export function printIssued({ id, key, account, expiresAt }: z.output<typeof issuedView>): {
  line: string;
  note: string;
} {
  const end = expiresAt === null ? "does not expire" : `expires ${expiresAt}`;
  return { line: key, note: `${id} of ${account}, ${end}. It is not shown again: store it now.` };
}
