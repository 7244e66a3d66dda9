import { recordIdOf } from "../key-format.ts";
import type { LoginRecord, SessionRecord } from "../../storage/records.ts";
import type { Collection, Store } from "../../storage/storage.ts";

type SessionStore = Pick<Store, "sessions" | "logins">;

/** What has ended stays for a day, so that whoever still has it is told what became of it. */
const rememberedMs = 86_400_000;

/** Takes away what ended a day ago. What cannot be read is left to the operator. */
export async function sweepSessions(store: SessionStore, time: number): Promise<void> {
  await removeWhere(store, ({ expiresAt }) => Date.parse(expiresAt) + rememberedMs <= time);
}

/** Sessions and codes of an account that is gone: another of its name must not be theirs. */
export async function removeSessions(store: SessionStore, account: string): Promise<void> {
  await removeWhere(store, (record) => record.account === account);
}

async function removeWhere(
  { sessions, logins }: SessionStore,
  isOver: (record: LoginRecord) => boolean,
): Promise<void> {
  // Codes first: none may become a session while those are taken away.
  await removeFrom(logins, isOver);
  await removeFrom(sessions, isOver);
}

async function removeFrom<T extends LoginRecord | SessionRecord>(
  collection: Collection<T>,
  isOver: (record: T) => boolean,
): Promise<void> {
  const { records } = await collection.all();
  for (const record of records.filter(isOver)) await collection.remove(recordIdOf(record.hash));
}
