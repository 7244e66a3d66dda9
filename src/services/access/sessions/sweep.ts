import type { Person } from "../../../catalog/principal.ts";
import { recordIdOf } from "../key-format.ts";
import { isSamePerson } from "../../../storage/person.ts";
import type { Lease } from "../../../storage/lease.ts";
import type { LoginRecord, SessionRecord } from "../../../storage/records.ts";
import type { Collection, Store } from "../../../storage/storage.ts";

type SessionStore = Pick<Store, "sessions" | "logins" | "keyUses">;

/** Ended records are kept for a day, so that their holders learn why they are refused. */
const rememberedMs = 86_400_000;

/** Removes records that ended a day ago. Unreadable ones are left to the operator. */
export async function sweepSessions(store: SessionStore, time: number): Promise<void> {
  await removeWhere(store, ({ expiresAt }) => Date.parse(expiresAt) + rememberedMs <= time);
}

/** Removes the sessions and codes of a deleted account, so that a new account of that name does not inherit them. */
export async function removeSessions(store: SessionStore, lease: Lease): Promise<void> {
  await removeWhere(store, (record) => record.account === lease.account, lease);
}

/** A person may sign in as often as a script can, and each session is kept for a day after its end. */
export const maxOfPerson = 20;

/** Removes sessions of a person until another one fits: those that were revoked first, then the oldest. */
export async function makeRoom(
  { sessions, keyUses }: Pick<SessionStore, "sessions" | "keyUses">,
  person: Person,
): Promise<void> {
  const { records } = await sessions.all();
  const over = records
    .filter((record) => isSamePerson(record.person, person))
    .toSorted(
      (a, b) =>
        Number(a.revokedAt === undefined) - Number(b.revokedAt === undefined) ||
        a.createdAt.localeCompare(b.createdAt),
    )
    .slice(0, -maxOfPerson + 1);
  for (const { hash } of over) await sessions.remove(recordIdOf(hash));
  if (over.length > 0) await (await keyUses()).remove(over.map(({ id }) => id));
}

async function removeWhere(
  { sessions, logins, keyUses }: SessionStore,
  isOver: (record: LoginRecord) => boolean,
  lease?: Lease,
): Promise<void> {
  // Codes first: none may become a session in the meantime.
  await removeFrom(logins, isOver, lease);
  const removed = await removeFrom(sessions, isOver, lease);
  if (removed.length > 0) await (await keyUses()).remove(removed);
}

async function removeFrom<T extends LoginRecord | SessionRecord>(
  collection: Collection<T>,
  isOver: (record: T) => boolean,
  lease: Lease | undefined,
): Promise<string[]> {
  const { records } = await collection.all();
  const over = records.filter(isOver);
  for (const record of over) await collection.remove(recordIdOf(record.hash), lease);
  return over.map(({ id }) => id);
}
