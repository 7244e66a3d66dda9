import type { AdminArgs, AdminOperation } from "../../../services/admin/admin.ts";
import { ToolError } from "../../../catalog/errors.ts";
import { reasonOf } from "../../../services/admin/protocol.ts";
import { closing } from "../../../services/audit/closing.ts";
import type { Caller } from "../../../services/audit/caller.ts";
import { StoreError } from "../../../services/storage/errors.ts";
import type { Host, LoadedSettings } from "../host.ts";
import { loadSettings, type SettingsArgs } from "../load-settings.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";

export interface AdminLink {
  call(operation: string, args: unknown, caller: Caller): Promise<unknown>;
  close(): Promise<void>;
}

/** How long another command may hold the store before this one gives up; a start of `serve` waits as long. */
const patienceMs = 10_000;
const pauseMs = 50;

/**
 * Carries out one operation: through the server that runs on the store, otherwise on the store itself.
 * @throws ToolError for a refusal, StoreError where the store cannot be used.
 */
export async function callAdmin<View, O extends AdminOperation = AdminOperation>(
  operation: O,
  args: AdminArgs<O>,
  line: SettingsArgs,
  host: Host,
): Promise<View> {
  const link = await openAdmin(operation, line, host);
  try {
    return (await link.call(operation, args, callerOf(host))) as View;
  } finally {
    await link.close();
  }
}

/** For more than one operation; `first` is the one that it begins with. */
export async function openAdmin(first: AdminOperation, line: SettingsArgs, host: Host): Promise<AdminLink> {
  const settings = await loadSettings(line, host);
  if (settings.config.storage.driver === "memory") {
    throw usageError(
      `There is nothing to manage: with storage.driver memory (${settings.origins.get("storage.driver")}) accounts and keys live and end inside the server. Set storage.driver to file or redis.`,
    );
  }
  return connect(first, settings, host);
}

/** Through sudo two names are told: whose rights these are, and who had them lent. */
export function callerOf({ env, pid, userName, hostName }: Host): Caller {
  const user = userName();
  const behind = env["SUDO_USER"];
  const actor = behind === undefined || behind === user ? user : `${user} (sudo: ${behind})`;
  return { actor: `cli:${actor}`, from: `${hostName()} pid ${pid}` };
}

async function connect(operation: AdminOperation, settings: LoadedSettings, host: Host): Promise<AdminLink> {
  const { driver, path } = settings.config.storage;
  // Redis has no one process that owns it: what is written there, every server sees.
  if (driver === "redis") return openDirectly(operation, settings, host);
  const folder = host.files.stat(path);
  if (folder === undefined) {
    // A slip in the name of the folder must not look like a store that lost everything.
    if (operation !== "accounts.create") {
      throw usageError(
        `There is no store in ${visible(path)} (storage.path, ${settings.origins.get("storage.path")}). Give its folder with --data DIR, or make a new one with the first account: penknife admin accounts create NAME --plan pro`,
      );
    }
    await host.stderr.write(`penknife: making a new store in ${visible(path)}\n`);
  }
  const { connectAdmin } = await import("../../../services/admin/client.ts");
  const socket = `${path.replace(/\/+$/, "")}/penknife.sock`;
  const deadline = host.monotonic() + patienceMs;
  for (;;) {
    const client = await connectAdmin(socket);
    if (client !== undefined) return { call: client.call, close: async () => client.close() };
    refuseOtherOwner(path, folder?.owner, host);
    try {
      return await openDirectly(operation, settings, host);
    } catch (error) {
      // Another command, or a server on its way up or down: soon there is a store or a socket.
      const busy = error instanceof StoreError && error.operation === "lock";
      if (!busy || host.monotonic() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** What root writes into the folder of another user, that user's server cannot read any more. */
export function refuseOtherOwner(path: string, owner: number | undefined, { uid }: Host): void {
  if (uid !== 0 || owner === undefined || owner === 0) return;
  throw usageError(
    `${visible(path)} belongs to uid ${owner}, who could not read what root writes there. Run this as that user, or while its server runs.`,
  );
}

async function openDirectly(
  operation: AdminOperation,
  settings: LoadedSettings,
  host: Host,
): Promise<AdminLink> {
  const { openStore } = await import("../../../services/storage/storage.ts");
  const { createOutbox } = await import("../../../services/webhooks/outbox.ts");
  const { createOperator } = await import("../../../services/admin/operator.ts");
  const { createLive } = await import("../../../services/events/live/live.ts");
  const { tellOfStore } = await import("../../../services/events/live/store.ts");
  const { storage, auth, limits, webhooks } = settings.config;
  const { now, monotonic, random } = host;
  const say = (text: string): void => void host.stderr.write(`penknife: ${visible(text)}\n`);
  const kept = await openStore({
    driver: storage.driver,
    path: storage.path,
    minFreeMb: storage.minFreeMb,
    urgent: closing.has(operation),
    now,
    onNotice: (_, message) => say(message),
    onError(error) {
      // What could not be read or written comes back with the answer, as it does from a server.
      if (error.operation !== "read" && error.operation !== "write") say(error.reason);
    },
    redis: {
      ...storage,
      ...limits,
      isNode: false,
      mayBegin: operation === "accounts.create",
      monotonic,
      random,
      onNotice: (level, message) => void (level === "warn" && say(message)),
      onDegraded: () => {},
    },
    webhooks: { perEndpoint: webhooks.perEndpoint, circuit: { after: 5, everyMs: 60_000 } },
    random,
    pid: host.pid,
    ...(host.uid !== undefined && { uid: host.uid }),
  });
  // Servers on the same Redis have those who look on.
  const live = createLive({
    channel: settings.config.graphql.enabled ? kept.channel : undefined,
    random,
    onFault: (error) => say((error as Error).message),
  });
  const store = tellOfStore(kept, { live: async () => live, now });
  const outbox = createOutbox({
    store,
    options: { ...webhooks, encryptionKey: storage.encryptionKey },
    now,
    random,
    live,
    onError(error, type, account) {
      const why = error instanceof ToolError ? reasonOf(error) : (error as Error).message;
      say(`The event ${type} of ${account} is lost: ${why}`);
    },
  });
  const backups = async () => {
    const { createBackups } = await import("../../../services/admin/transfer/backup.ts");
    return createBackups({ store, now, random, release: (await host.program.build()).version });
  };
  const admin = createOperator({
    store,
    outbox,
    // Redis has servers of its own, or none.
    sending: storage.driver === "redis" && webhooks.enabled ? "elsewhere" : "nowhere",
    now,
    random,
    maxKeyDays: auth.maxKeyDays,
    backups,
  });
  return {
    async call(name, args, caller) {
      try {
        return await admin.call(name, args, caller);
      } catch (error) {
        throw error instanceof ToolError ? new ToolError(error.code, reasonOf(error), error.details) : error;
      }
    },
    async close() {
      await live.close();
      await store.close();
    },
  };
}
