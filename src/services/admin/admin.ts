import type { z } from "zod";
import { validate } from "../../catalog/issues.ts";
import { ToolError } from "../../catalog/errors.ts";
import type { Quota } from "../../catalog/principal.ts";
import type { Accounts } from "../access/accounts.ts";
import type { schemas } from "./schemas.ts";
import { type Caller, unknownCaller } from "../audit/caller.ts";
import { listAudit } from "../audit/list.ts";
import { isRead, type Found, readOnly } from "../audit/acts.ts";
import type { CloseInMemory } from "../audit/closing.ts";
import { type AuditNews, createAuditRecorder } from "../audit/recorder.ts";
import { defined } from "../../lib/defined.ts";
import { lazy } from "../../lib/lazy.ts";
import { createKeyedMutex } from "../../lib/keyed-mutex.ts";
import { parseSince, toInstant } from "../../catalog/duration.ts";
import type { IssuedKey, Keys } from "../access/keys.ts";
import { requireSeen } from "../access/incarnation.ts";
import { type KeyView, toKeyView } from "../access/key-view.ts";
import type { Backups } from "../transfer/backup.ts";
import type { Limits } from "../access/limits.ts";
import { limitOf } from "../access/plans.ts";
import { createSessionHandlers } from "../access/sessions/operations.ts";
import type { Sessions } from "../access/sessions/sessions.ts";
import type { AccountRecord, KeyRecord } from "../../storage/records.ts";
import { toStoreError } from "../../storage/errors.ts";
import type { Listing, Store } from "../../storage/storage.ts";
import { toUnavailable } from "../../storage/unavailable.ts";
import type { KeyUses } from "../../storage/key-uses.ts";
import { nobody } from "../usage/recorder.ts";
import { reportUsageBy, type UsageGroup, usageGroups, type UsageReport } from "../usage/report.ts";
import { createWebhookHandlers, type Sending } from "../webhooks/operations.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import type { Runtime } from "../../runtime.ts";

/** The operator's operations by name, with plain JSON as input and output; called directly or over the socket. */
export interface Admin {
  /** Calls an operation. `caller` is recorded in the audit trail. */
  call(operation: string, args: unknown, caller?: Caller): Promise<unknown>;
  /**
   * Runs work that is not an operation, with its lines in the audit trail. `args` are recorded, so they must not
   * contain secrets.
   */
  trace<T>(act: string, args: object, caller: Caller, work: () => Promise<T>): Promise<T>;
  operations: readonly AdminOperation[];
}

/** An account as shown to the operator; `limit` is the effective quota, custom or of the plan. */
export type AccountView = Pick<AccountRecord, "name" | "plan" | "disabled" | "createdAt"> & { limit: number };

/** The only answer with a key, which is shown once. `expiresAt` is null for a key that does not expire. */
export interface IssuedView {
  id: string;
  key: string;
  account: string;
  expiresAt: string | null;
}

export interface UsageView {
  account: string;
  plan: string;
  used: number;
  limit: number;
  remaining: number;
  /** Null if nothing was counted in this hour. */
  resetAt: string | null;
}

/** A list; `damaged` has a sentence for each record that could not be read. */
export interface ListView<View> {
  items: View[];
  damaged?: readonly string[];
}

export type AdminOperation = keyof typeof schemas;
export type AdminArgs<O extends AdminOperation> = z.input<(typeof schemas)[O]>;

export type Handlers = {
  [O in AdminOperation]: (args: z.output<(typeof schemas)[O]>, found: Found) => Promise<unknown>;
};

export interface AdminDeps {
  accounts: Accounts;
  keys: Keys;
  limits: Limits;
  sessions: Sessions;
  outbox: Pick<Outbox, "enabled" | "endpoints" | "publisher" | "seal">;
  /** Whether there is a server that sends events. */
  sending: Sending;
  store: Pick<Store, "accounts" | "audit" | "usage" | "keyUses" | "deliveries" | "urgently">;
  /** Set in a server: closes access in its memory if the store cannot be written. */
  closeInMemory?: CloseInMemory;
  runtime: Runtime;
  /** Writes the usage that this process has counted so far. */
  flushUsage?: () => Promise<void>;
  /** Writes the uses of keys that this process has noted so far. */
  flushKeyUses?: () => Promise<void>;
  /** Called with each finished act, for the log. */
  onAct?: (news: AuditNews) => void;
  /** Called by the first backup. */
  backups?: () => Promise<Backups>;
}

export function createAdmin(deps: AdminDeps): Admin {
  const { accounts, keys, limits, sessions, outbox, store, flushUsage, flushKeyUses, onAct } = deps;
  const { now } = deps.runtime;
  const backups = deps.backups && lazy(deps.backups);
  const trail = createAuditRecorder({
    audit: store.audit,
    accounts,
    keys,
    limits,
    sessions,
    endpoints: outbox.endpoints,
    onAct,
    urgently: store.urgently,
    closeInMemory: deps.closeInMemory,
  });
  const readUses = async (ids?: readonly string[]): Promise<KeyUses> => {
    await flushKeyUses?.();
    try {
      return await (await store.keyUses()).read(ids);
    } catch (error) {
      throw toUnavailable(toStoreError("read", "The times of the last use", error));
    }
  };
  const toView = async (record: KeyRecord): Promise<KeyView> =>
    toKeyView(record, await readUses([record.id]), now());
  /** A change that was made must not be reported as failed because the last use cannot be read. */
  const toChanged = (record: KeyRecord): Promise<KeyView> =>
    toView(record).catch(() => toKeyView(record, { last: new Map() }, now()));

  /** Reads the usage once, for a report of each grouping. */
  async function reportsOf(
    groups: readonly UsageGroup[],
    { since = "24h", until, ...whose }: AdminArgs<"usage.reports">,
  ): Promise<UsageReport[]> {
    const from = parseSince(since, now(), "/since");
    // The end is exclusive if it is given.
    const last = until === undefined ? now() : parseSince(until, now(), "/until") - 1;
    await flushUsage?.();
    const query = { ...defined(whose), since: from, until: last };
    const reports = await reportUsageBy(groups, await store.usage(), query);
    const { account } = whose;
    // A deleted account has a history; a mistyped name has none.
    const unused = reports[0]?.items.every(({ requests, limited }) => requests + limited === 0) === true;
    if (account !== undefined && account !== nobody.account && unused) await accounts.get(account);
    return reports;
  }

  const handlers: Handlers = {
    "accounts.create": async (args) => toAccountView(await accounts.create(defined(args))),
    "accounts.list": async () => toListView(await accounts.list(), toAccountView),
    "accounts.show": async (args) => toAccountView(await accounts.get(args.name)),
    "accounts.set": async ({ name: account, ...changes }) =>
      toAccountView(await accounts.set(account, defined(changes))),
    "accounts.disable": async (args) => toAccountView(await accounts.disable(args.name)),
    "accounts.enable": async (args) => toAccountView(await accounts.enable(args.name)),
    "accounts.delete": async ({ name: account, ...options }) =>
      toAccountView(await accounts.remove(account, defined(options))),
    "keys.issue": async (args, { owner: caller }) =>
      toIssuedView(await keys.issue(defined({ ...args, caller }))),
    "keys.list": async ({ account }, { owner: caller }) => {
      if (account !== undefined) await accounts.get(account);
      const listing = await keys.list(defined({ account, caller }));
      const uses = await readUses(account === undefined ? undefined : listing.records.map(({ id }) => id));
      return toListView(listing, (record) => toKeyView(record, uses, now()));
    },
    "keys.show": async ({ id }, { owner }) => toView(requireSeen(await keys.get(id), owner)),
    "keys.rotate": async ({ id: key, ...options }) => toIssuedView(await keys.rotate(key, defined(options))),
    "keys.revoke": async ({ id, ...options }, { key = id }) =>
      toChanged(await keys.revoke(key, defined(options))),
    "keys.revokeAll": async ({ account, ...options }, { owner: caller }) => {
      await accounts.get(account);
      const { records, damaged } = await keys.revokeAll(account, defined({ ...options, caller }));
      const views = await Promise.all(records.map(toChanged));
      return toListView({ records: views, damaged }, (view) => view);
    },
    "keys.check": async ({ key }) => {
      const { record, ...verdict } = await keys.check(key);
      return { ...verdict, ...(record && { key: await toView(record) }) };
    },
    "limits.reset": async ({ account }) => {
      const record = await accounts.get(account);
      await limits.reset(record);
      return toUsageView(record, await limits.peek(record));
    },
    usage: async ({ account }) => {
      const toUsage = async (record: AccountRecord) => toUsageView(record, await limits.peek(record));
      if (account !== undefined) return { items: [await toUsage(await accounts.get(account))] };
      const { records, damaged } = await accounts.list();
      return toListView({ records: await Promise.all(records.map(toUsage)), damaged }, (view) => view);
    },
    "usage.history": async ({ by = "account", ...query }) => (await reportsOf([by], query))[0],
    "usage.reports": async (query) => {
      const reports = await reportsOf(usageGroups, query);
      return Object.fromEntries(reports.map((report) => [report.by, report]));
    },
    "audit.list": async ({ since, limit = 100, ...query }) => {
      const from = since === undefined ? undefined : parseSince(since, now(), "/since");
      return {
        items: await listAudit(await store.audit(), { limit, ...defined({ ...query, since: from }) }),
      };
    },
    "audit.verify": async ({ anchor }) => (await store.audit()).verify(anchor),
    ...createWebhookHandlers(deps),
    ...createSessionHandlers(sessions, now, readUses),
    "backup.begin": async () => {
      await flushUsage?.();
      if (backups === undefined) throw new ToolError("not_found", "This store cannot be backed up.");
      return (await backups()).begin();
    },
    "backup.next": async ({ id }) => {
      const page = await (await backups?.made())?.next(id);
      if (page === undefined)
        throw new ToolError("not_found", "This backup is no longer in progress. Start it again.");
      return page;
    },
    "backup.end": async ({ id }) => (await backups?.made())?.end(id),
  };

  // Changes of one subject run in the order of the calls, so that their lines in the trail tell what each has changed. That
  // they exclude one another, in every process, is up to the store.
  const inTurn = createKeyedMutex();
  const changes = new Set<Promise<unknown>>();

  /** A backup contains every change that was requested earlier. */
  async function afterChanges<T>(work: () => Promise<T>): Promise<T> {
    await Promise.allSettled(changes);
    return work();
  }

  async function change(subject: string, act: () => Promise<unknown>): Promise<unknown> {
    const changing = inTurn(subject, act);
    changes.add(changing);
    try {
      return await changing;
    } finally {
      changes.delete(changing);
    }
  }

  const isOperation = (text: string): text is AdminOperation => Object.hasOwn(handlers, text);

  return {
    operations: Object.keys(handlers) as AdminOperation[],
    trace: trail.record,
    async call(operation, args, caller = unknownCaller) {
      if (!isOperation(operation))
        throw new ToolError(
          "invalid_input",
          "Unknown operation: the command and the running server are of different releases. Restart the server with the executable of the command.",
        );
      // Loaded here: a server would otherwise load zod at its start, and most starts see no operator.
      const { schemas } = await import("./schemas.ts");
      const given = validate<z.ZodObject>(schemas[operation], args ?? {});
      const handler = handlers[operation] as (args: unknown, found: Found) => Promise<unknown>;
      const act = (): Promise<unknown> =>
        trail.record(operation, given, caller, (found) => handler(given, found));
      if (isRead(operation)) return act();
      if (readOnly.has(operation)) return afterChanges(act);
      const { account, name, id } = given;
      return change(String(account ?? name ?? id ?? operation), act);
    },
  };
}

function toListView<T, View>({ records, damaged }: Listing<T>, toView: (record: T) => View): ListView<View> {
  return { items: records.map(toView), ...(damaged.length > 0 && { damaged }) };
}

function toAccountView(account: AccountRecord): AccountView {
  return {
    name: account.name,
    plan: account.plan,
    limit: limitOf(account),
    disabled: account.disabled,
    createdAt: account.createdAt,
  };
}

function toIssuedView({ key, record }: IssuedKey): IssuedView {
  return { id: record.id, key, account: record.account, expiresAt: record.expiresAt ?? null };
}

function toUsageView(account: AccountRecord, { used, limit: hourly, remaining, resetAt }: Quota): UsageView {
  return {
    account: account.name,
    plan: account.plan,
    used,
    limit: hourly,
    remaining,
    resetAt: used === 0 ? null : toInstant(resetAt),
  };
}
