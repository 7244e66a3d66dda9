import { createAccounts } from "../services/access/accounts.ts";
import { type Admin, type AdminDeps, createAdmin } from "./admin.ts";
import { withAccountEvents, withKeyEvents } from "../services/events/with-events.ts";
import { createKeys } from "../services/access/keys.ts";
import { createLimits } from "../services/access/limits.ts";
import { createSessions } from "../services/access/sessions/sessions.ts";
import { removeSessions } from "../services/access/sessions/sweep.ts";
import type { Lease } from "../storage/lease.ts";
import type { Store } from "../storage/storage.ts";

export interface OperatorDeps extends Omit<AdminDeps, "accounts" | "keys" | "limits" | "sessions"> {
  store: Store;
  maxKeyDays: number;
}

/**
 * Creates the operator's operations over a store: accounts and keys that publish events for each change, and everything
 * that depends on them.
 */
export function createOperator({ store, outbox, runtime, maxKeyDays, ...deps }: OperatorDeps): Admin {
  const { publisher, endpoints } = outbox;
  const keys = withKeyEvents(createKeys({ store, runtime, maxKeyDays }), publisher);
  const accounts = createAccounts({
    store,
    keys,
    runtime,
    async onBegin(lease) {
      await endpoints.removeAll(lease);
      await removeInboxes(store, lease);
      await removeSessions(store, lease);
    },
    async onEnd(lease) {
      await removeInboxes(store, lease);
      await removeSessions(store, lease);
    },
  });
  return createAdmin({
    ...deps,
    runtime,
    store,
    outbox,
    keys,
    accounts: withAccountEvents(accounts, publisher),
    limits: createLimits({ store, runtime }),
    sessions: createSessions({ store, runtime }),
  });
}

/** Removes the inboxes of an account and their messages, which no key can read any more. */
async function removeInboxes(store: Pick<Store, "inboxes" | "inbox">, lease: Lease): Promise<void> {
  const { records } = await store.inboxes.of(lease.account);
  for (const { id } of records) {
    await store.inboxes.remove(id.slice("in_".length), lease);
    await (await store.inbox()).remove(id);
  }
}
