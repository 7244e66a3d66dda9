import type { Person } from "../../../catalog/principal.ts";
import { recordIdOf } from "../key-format.ts";
import { isSamePerson, personOwner } from "../../../storage/person.ts";
import type { Lease } from "../../../storage/lease.ts";
import type { LoginRecord, SessionRecord } from "../../../storage/records.ts";
import type { Collection, Store } from "../../../storage/storage.ts";

type SessionStore = Pick<Store, "sessions" | "logins" | "keyUses">;

/** Ended records are kept for a day, so that their holders learn why they are refused. */
const rememberedMs = 86_400_000;

/** Removes records that ended a day ago. Unreadable ones are left to the operator. */
export async function sweepSessions(store: SessionStore, time: number): Promise<void> {
  const until = time - rememberedMs + 1;
  await removeAll(
    store,
    (collection) => collection.ending({ until }),
    ({ expiresAt }) => Date.parse(expiresAt) < until,
  );
}

/** Removes the sessions and codes of a deleted account, so that a new account of that name does not inherit them. */
export async function removeSessions(store: SessionStore, lease: Lease): Promise<void> {
  await removeAll(
    store,
    async function* (collection) {
      yield* (await collection.of(lease.account)).records;
    },
    () => true,
    lease,
  );
}

/** A person may sign in as often as a script can, and each session is kept for a day after its end. */
export const maxOfPerson = 20;

/** Removes sessions of a person until another one fits: those that were revoked first, then the oldest. */
export async function makeRoom(
  { sessions, keyUses }: Pick<SessionStore, "sessions" | "keyUses">,
  person: Person,
): Promise<void> {
  const { records } = await sessions.of(personOwner(person));
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

type Select = <T extends LoginRecord | SessionRecord>(collection: Collection<T>) => AsyncIterable<T>;

async function removeAll(
  { sessions, logins, keyUses }: SessionStore,
  select: Select,
  isOver: (record: LoginRecord) => boolean,
  lease?: Lease,
): Promise<void> {
  // Codes first: none may become a session in the meantime.
  await removeFrom(logins, select(logins), isOver, lease);
  const removed = await removeFrom(sessions, select(sessions), isOver, lease);
  if (removed.length > 0) await (await keyUses()).remove(removed);
}

async function removeFrom<T extends LoginRecord | SessionRecord>(
  collection: Collection<T>,
  selected: AsyncIterable<T>,
  isOver: (record: T) => boolean,
  lease: Lease | undefined,
): Promise<string[]> {
  const removed: string[] = [];
  for await (const record of selected) {
    if (!isOver(record)) continue;
    await collection.remove(recordIdOf(record.hash), lease);
    removed.push(record.id);
  }
  return removed;
}
