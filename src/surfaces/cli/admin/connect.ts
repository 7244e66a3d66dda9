import type { AdminArgs, AdminOperation } from "../../../services/admin.ts";
import { StoreError } from "../../../services/storage/errors.ts";
import type { Host, LoadedSettings } from "../host.ts";
import { loadSettings, type SettingsArgs } from "../load-settings.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";

interface AdminLink {
  call(operation: string, args: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** How long another command may hold the store before this one gives up. */
const patienceMs = 3000;
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
  const settings = await loadSettings(line, host);
  if (settings.config.storage.driver === "memory") {
    throw usageError(
      `There is nothing to manage: with storage.driver memory (${settings.origins.get("storage.driver")}) accounts and keys live and end inside the server. Set storage.driver to file.`,
    );
  }
  const link = await connect(operation, settings, host);
  try {
    return (await link.call(operation, args)) as View;
  } finally {
    await link.close();
  }
}

async function connect(operation: AdminOperation, settings: LoadedSettings, host: Host): Promise<AdminLink> {
  const { path } = settings.config.storage;
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
  const { connectAdmin } = await import("../../../services/admin-client.ts");
  const socket = `${path.replace(/\/+$/, "")}/penknife.sock`;
  const deadline = host.monotonic() + patienceMs;
  for (;;) {
    const client = await connectAdmin(socket);
    if (client !== undefined) return { call: client.call, close: async () => client.close() };
    refuseOtherOwner(path, folder?.owner, host);
    try {
      return await openDirectly(settings, host);
    } catch (error) {
      // Another command, or a server on its way up or down: soon there is a store or a socket.
      const busy = error instanceof StoreError && error.operation === "lock";
      if (!busy || host.monotonic() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** What root writes into the folder of another user, that user's server cannot read any more. */
function refuseOtherOwner(path: string, owner: number | undefined, { uid }: Host): void {
  if (uid !== 0 || owner === undefined || owner === 0) return;
  throw usageError(
    `${visible(path)} belongs to uid ${owner}, who could not read what root writes there. Run this as that user, or while its server runs.`,
  );
}

async function openDirectly(settings: LoadedSettings, host: Host): Promise<AdminLink> {
  const { openStore } = await import("../../../services/storage/storage.ts");
  const { createKeys } = await import("../../../services/keys.ts");
  const { createAccounts } = await import("../../../services/accounts.ts");
  const { createLimits } = await import("../../../services/limits.ts");
  const { createAdmin } = await import("../../../services/admin.ts");
  const { storage, auth } = settings.config;
  const { now, random } = host;
  const store = await openStore({
    driver: storage.driver,
    path: storage.path,
    now,
    onError: (error) => void host.stderr.write(`penknife: ${visible(error.reason)}\n`),
    pid: host.pid,
    ...(host.uid !== undefined && { uid: host.uid }),
  });
  const keys = createKeys({ store, now, random, maxKeyDays: auth.maxKeyDays });
  const accounts = createAccounts({ store, keys, now });
  const admin = createAdmin({ accounts, keys, limits: createLimits({ store, now }), now });
  return { call: admin.call, close: store.close };
}
