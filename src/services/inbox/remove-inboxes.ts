import type { Store } from "../storage/storage.ts";

/** Removes the inboxes of an account and their messages, which no key can read any more. */
export async function removeInboxes(store: Pick<Store, "inboxes" | "inbox">, account: string): Promise<void> {
  const { records } = await store.inboxes.all();
  for (const { id } of records.filter((record) => record.account === account)) {
    await store.inboxes.remove(id.slice("in_".length));
    await (await store.inbox()).remove(id);
  }
}
