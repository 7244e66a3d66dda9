import { z } from "zod";
import { toInstant, toInstantOrNull } from "../../catalog/duration.ts";
import { recordIdOf } from "../../services/access/key-format.ts";
import { sessionStateOf } from "../../services/access/sessions/state.ts";
import type { KeyUses } from "../../storage/key-uses.ts";
import type { SessionRecord } from "../../storage/records.ts";
import type { Context } from "../context.ts";
import { person } from "../fields.ts";
import { readUses } from "../uses.ts";

/** A session without its hash. `account` is null for the operator. */
export const sessionView = z.strictObject({
  id: z.string(),
  account: z.string().nullable(),
  operator: z.boolean(),
  /** The person who signed in; absent if the session began with a code. */
  person: person.optional(),
  state: z.enum(["live", "expired", "revoked"]),
  createdAt: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().optional(),
  /** The minute of the last request; null before the first. */
  lastUsedAt: z.string().nullable(),
});

export type SessionView = z.output<typeof sessionView>;

/** The only answer with a token, which is shown once. */
export const begunView = z.strictObject({ id: z.string(), token: z.string(), session: sessionView });

export function toSessionView({ runtime }: Context, record: SessionRecord, { last }: KeyUses): SessionView {
  const {
    v: _version,
    hash: _hash,
    incarnation: _incarnation,
    account = null,
    operator = false,
    ...shown
  } = record;
  const lastUse = last.get(record.id);
  return {
    ...shown,
    account,
    operator,
    state: sessionStateOf(record, runtime.now(), lastUse),
    lastUsedAt: toInstantOrNull(lastUse),
  };
}

export const readSessionView = async (context: Context, record: SessionRecord): Promise<SessionView> =>
  toSessionView(context, record, await readUses(context, [record.id]));

export const toBegunView = (
  context: Context,
  { token, record }: { token: string; record: SessionRecord },
): z.output<typeof begunView> => ({
  id: record.id,
  token,
  session: toSessionView(context, record, { last: new Map() }),
});

/** Ends sessions in the memory of this server. Returns a text that says which. */
export function overruleSessions(
  { store, runtime }: Context,
  records: readonly SessionRecord[],
): string | undefined {
  const live = records.filter(({ revokedAt }) => revokedAt === undefined);
  const revokedAt = toInstant(runtime.now());
  for (const record of live) store.sessions.overrule(recordIdOf(record.hash), { ...record, revokedAt });
  if (live.length === 0) return undefined;
  return live.length === 1 ? `The session ${live[0]?.id}` : `${live.length} sessions`;
}
