import { ToolError } from "../../../catalog/errors.ts";
import { toFlag } from "../../../lib/shell-words.ts";
import type { Admin } from "../../../operations/admin.ts";
import { type InputOf, loadOperation, type OperationName, type OutputOf } from "../../../operations/index.ts";
import type { Operation } from "../../../operations/operation.ts";
import type { Caller } from "../../../services/audit/caller.ts";
import { StoreError } from "../../../storage/errors.ts";
import { reasonOf } from "../../../storage/unavailable.ts";
import type { LoadedSettings } from "../../../config.ts";
import type { Host } from "../host.ts";
import { loadOperatorSettings, type SettingsArgs } from "../load-settings.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";

export interface AdminLink extends Pick<Admin, "call" | "perform"> {
  close(): Promise<void>;
}

/** The longest wait for another command that holds the store; the start of `serve` waits as long. */
const patienceMs = 10_000;
const pauseMs = 50;

/**
 * Performs one operation: through the server that runs on the store, or else on the store itself.
 * @throws ToolError if it is refused, StoreError if the store cannot be used.
 */
export async function callAdmin<Name extends OperationName>(
  name: Name,
  args: InputOf<Name>,
  line: SettingsArgs,
  host: Host,
): Promise<OutputOf<Name>> {
  return (await performAdmin(await loadOperation(name), args, line, host)) as OutputOf<Name>;
}

/** Like `callAdmin`, for an operation that need not be of this release. */
export async function performAdmin(
  operation: Operation,
  args: object,
  line: SettingsArgs,
  host: Host,
): Promise<unknown> {
  const link = await openLink(operation, line, host);
  try {
    return await link.perform(operation.name, args, callerOf(host));
  } finally {
    await link.close();
  }
}

/** Opens a link for several operations, of which `first` is the first. */
export async function openAdmin(first: OperationName, line: SettingsArgs, host: Host): Promise<AdminLink> {
  return openLink(await loadOperation(first), line, host);
}

async function openLink(first: Operation, line: SettingsArgs, host: Host): Promise<AdminLink> {
  const settings = await loadOperatorSettings(line, host);
  if (settings.config.storage.driver === "memory") {
    throw usageError(
      `There is nothing to manage: with storage.driver memory (${settings.origins.get("storage.driver")}) accounts and keys exist only inside the server. Set storage.driver to file or redis.`,
    );
  }
  const { close, ...link } = await connect(first, settings, host);
  const perform: Admin["perform"] = async (name, args, caller) => {
    try {
      return await link.perform(name, args, caller);
    } catch (error) {
      throw error instanceof ToolError ? toOptionError(error, host.line ?? []) : error;
    }
  };
  return { perform, call: perform as Admin["call"], close };
}

/** Names the option if the line gives the faulty field as one: `--since must be …`. */
function toOptionError(error: ToolError, line: readonly string[]): ToolError {
  const { code, message, details } = error;
  const name = details.errors?.[0]?.pointer?.slice(1) ?? "";
  const flag = `--${toFlag(name)}`;
  const isTyped = line.some((word) => word === flag || word.startsWith(`${flag}=`));
  if (!isTyped || !message.startsWith(`${name} must `)) return error;
  return new ToolError(code, flag + message.slice(name.length), details);
}

/** The caller for the audit trail; under sudo it names both users. */
export function callerOf({ env, pid, userName, hostName }: Host): Caller {
  const user = userName();
  const behind = env["SUDO_USER"];
  const actor = behind === undefined || behind === user ? user : `${user} (sudo: ${behind})`;
  return { actor: `cli:${actor}`, from: `${hostName()} pid ${pid}` };
}

type Link = Omit<AdminLink, "call">;

async function connect(operation: Operation, settings: LoadedSettings, host: Host): Promise<Link> {
  const { driver, path } = settings.config.storage;
  // Any process may write to Redis, and every server sees it.
  if (driver === "redis") return openDirectly(operation, settings, host);
  const folder = host.files.stat(path);
  if (folder === undefined) {
    // A mistyped folder must not look like a store that lost everything.
    if (operation.command?.begins !== true) {
      throw usageError(
        `There is no store in ${visible(path)} (storage.path, ${settings.origins.get("storage.path")}). Give its folder with --data DIR, or create one with its first account: penknife admin accounts create NAME --plan pro`,
      );
    }
    await host.stderr.write(`penknife: creating a new store in ${visible(path)}\n`);
  }
  const { connectToFolder } = await import("../../../operations/client.ts");
  const deadline = host.runtime.monotonic() + patienceMs;
  for (;;) {
    const client = await connectToFolder(path);
    if (client !== undefined) return { perform: client.perform, close: async () => client.close() };
    refuseOtherOwner(path, folder?.owner, host);
    try {
      return await openDirectly(operation, settings, host);
    } catch (error) {
      // Another command holds the store, or a server is starting or stopping: retry until the store or a socket is there.
      const busy = error instanceof StoreError && error.operation === "lock";
      if (!busy || host.runtime.monotonic() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** Refuses to write as root into another user's folder, because that user's server could not read the files. */
export function refuseOtherOwner(path: string, owner: number | undefined, { uid }: Host): void {
  if (uid !== 0 || owner === undefined || owner === 0) return;
  throw usageError(
    `${visible(path)} belongs to uid ${owner}, which cannot read files that root writes there. Run this as that user, or while its server runs.`,
  );
}

async function openDirectly(operation: Operation, settings: LoadedSettings, host: Host): Promise<Link> {
  const { openStore } = await import("../../../storage/storage.ts");
  const { toStoreOptions } = await import("../../../storage/store-options.ts");
  const { openOperator } = await import("../../../operations/open-operator.ts");
  const { config } = settings;
  const { storage, webhooks } = config;
  const say = (text: string): void => void host.stderr.write(`penknife: ${visible(text)}\n`);
  const options = toStoreOptions(config, host, {
    isNode: false,
    mayBegin: operation.command?.begins === true,
    onNotice(level, message) {
      // On a shared Redis, notices of level info concern only its servers.
      if (storage.driver !== "redis" || level === "warn") say(message);
    },
    onDegraded: () => {},
    onError(error) {
      // Read and write errors are part of the answer, as they are from a server.
      if (error.operation !== "read" && error.operation !== "write") say(error.reason);
    },
  });
  const store = await openStore({ ...options, urgent: operation.kind === "closes" });
  const operator = openOperator({
    store,
    config,
    // With Redis, other servers may be running that send.
    sending: storage.driver === "redis" && webhooks.enabled ? "elsewhere" : "nowhere",
    runtime: { ...host.runtime, report: (error) => say((error as Error).message) },
    release: async () => (await host.program.build()).version,
    onLost(error, type, account) {
      const why = error instanceof ToolError ? reasonOf(error) : (error as Error).message;
      say(`The event ${type} of ${account} is lost: ${why}`);
    },
  });
  const admin = await operator.admin();
  return {
    async perform(name, args, caller) {
      try {
        return await admin.perform(name, args, caller);
      } catch (error) {
        throw error instanceof ToolError ? new ToolError(error.code, reasonOf(error), error.details) : error;
      }
    },
    async close() {
      await operator.close();
      await store.close();
    },
  };
}
