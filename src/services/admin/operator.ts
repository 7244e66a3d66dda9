import { createAccounts } from "../access/accounts.ts";
import { type Admin, type AdminDeps, createAdmin } from "./admin.ts";
import { createCloseInMemory } from "../audit/closing.ts";
import { withAccountEvents, withKeyEvents } from "../events/with-events.ts";
import { createKeys } from "../access/keys.ts";
import { createLimits } from "../access/limits.ts";
import { createSessions } from "../access/sessions/sessions.ts";
import { removeSessions } from "../access/sessions/sweep.ts";
import type { Lease } from "../../storage/lease.ts";
import type { Store } from "../../storage/storage.ts";

export interface OperatorDeps extends Pick<
  AdminDeps,
  "outbox" | "sending" | "runtime" | "flushUsage" | "flushKeyUses" | "onAct" | "backups"
> {
  store: Store;
  maxKeyDays: number;
  /** Whether this process serves requests: revocations that cannot be written then take effect in its memory. */
  serves?: boolean;
}

/**
 * Creates the operator's operations over a store: accounts and keys that publish events for each change, and everything
 * that depends on them.
 */
export function createOperator({ store, outbox, runtime, maxKeyDays, serves, ...deps }: OperatorDeps): Admin {
  const { now } = runtime;
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
  const sessions = createSessions({ store, runtime });
  return createAdmin({
    ...deps,
    runtime,
    store,
    outbox,
    keys,
    accounts: withAccountEvents(accounts, publisher),
    limits: createLimits({ store, runtime }),
    sessions,
    ...(serves === true && { closeInMemory: createCloseInMemory(store, { keys, accounts, sessions }, now) }),
  });
}

/** Removes the inboxes of an account and their messages, which no key can read any more. */
async function removeInboxes(store: Pick<Store, "inboxes" | "inbox">, lease: Lease): Promise<void> {
  const { records } = await store.inboxes.all();
  for (const { id } of records.filter(({ account }) => account === lease.account)) {
    await store.inboxes.remove(id.slice("in_".length), lease);
    await (await store.inbox()).remove(id);
  }
}
