import type { Lazy } from "../lib/lazy.ts";
import type { Accounts } from "../services/access/accounts.ts";
import type { Keys } from "../services/access/keys.ts";
import type { Limits } from "../services/access/limits.ts";
import type { Sessions } from "../services/access/sessions/sessions.ts";
import type { Backups } from "../services/transfer/backup.ts";
import type { Outbox } from "../services/webhooks/outbox.ts";
import type { Runtime } from "../runtime.ts";
import type { Store } from "../storage/storage.ts";

/** The services and the store that operations use. */
export interface Context {
  accounts: Accounts;
  keys: Keys;
  limits: Limits;
  sessions: Sessions;
  outbox: Pick<Outbox, "enabled" | "endpoints" | "publisher" | "seal">;
  /** Whether there is a server that sends events. */
  sending: Sending;
  store: Pick<
    Store,
    "accounts" | "audit" | "deliveries" | "keys" | "keyUses" | "sessions" | "urgently" | "usage"
  >;
  runtime: Runtime;
  /** Writes the usage that this process has counted so far. */
  flushUsage?: () => Promise<void>;
  /** Writes the uses of keys that this process has noted so far. */
  flushKeyUses?: () => Promise<void>;
  /** The backups in progress; created by the first one. */
  backups?: Lazy<Backups>;
}

/** The process that sends events: this server, none, or perhaps another one. */
export type Sending = "here" | "nowhere" | "elsewhere";
