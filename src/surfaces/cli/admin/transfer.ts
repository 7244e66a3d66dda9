import type { CopyReport, Sources } from "../../../services/transfer/copy.ts";
import type { KindName } from "../../../services/transfer/kinds.ts";
import { StoreError } from "../../../storage/errors.ts";
import type { Store } from "../../../storage/storage.ts";
import type { LoadedSettings } from "../../../config.ts";
import type { Host } from "../host.ts";
import { writeJson } from "../json.ts";
import { renderTable } from "../table.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { callerOf, refuseOtherOwner } from "./connect.ts";

export type Place = { driver: "file"; path: string } | { driver: "redis"; url: string; prefix: string };

export const forceArg = {
  force: {
    type: "boolean",
    description: "Overwrite a target that is not empty; its own records are lost",
  },
} as const;

export interface CopyTask {
  act: "migrate" | "restore";
  from: Sources;
  /** The target. */
  store: Store;
  force: boolean;
  /** Details for the audit trail. */
  detail: Readonly<Record<string, unknown>>;
}

const words: Record<KindName, [one: string, many: string]> = {
  key: ["key", "keys"],
  endpoint: ["endpoint", "endpoints"],
  inbox: ["inbox", "inboxes"],
  account: ["account", "accounts"],
  window: ["window of counts", "windows of counts"],
  usage: ["row of usage", "rows of usage"],
  use: ["last use of a key", "last uses of keys"],
  audit: ["line of the audit trail", "lines of the audit trail"],
};

/** `3 keys, 1 account, …`. */
export const toCounts = (counts: Readonly<Partial<Record<KindName, number>>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${words[kind as KindName]?.[count === 1 ? 0 : 1] ?? kind}`)
    .join(", ");

export function configuredPlace({ config: { storage } }: LoadedSettings): Place {
  return storage.driver === "redis"
    ? { driver: "redis", url: storage.url, prefix: storage.prefix }
    : { driver: "file", path: storage.path };
}

/** @throws StoreError with advice, if the store cannot be used. */
export async function openPlace(
  place: Place,
  { readOnly }: { readOnly: boolean },
  host: Host,
): Promise<Store> {
  const { openStore } = await import("../../../storage/storage.ts");
  if (place.driver === "file") refuseOtherOwner(place.path, host.files.stat(place.path)?.owner, host);
  const say = (text: string): void => void host.stderr.write(`penknife: ${visible(text)}\n`);
  return openStore({
    driver: place.driver,
    path: place.driver === "file" ? place.path : "",
    readOnly,
    runtime: host.runtime,
    onNotice: (_, message) => say(message),
    onError(error) {
      // Read and write errors are reported at the end.
      if (error.operation !== "read" && error.operation !== "write") say(error.reason);
    },
    ...(place.driver === "redis" && {
      redis: {
        url: place.url,
        prefix: place.prefix,
        onStoreError: "closed",
        isNode: false,
        mayBegin: !readOnly,
        onNotice: (level: "info" | "warn", message: string) => void (level === "warn" && say(message)),
        onDegraded: () => {},
      },
    }),
    pid: host.pid,
    ...(host.uid !== undefined && { uid: host.uid }),
  });
}

/** Copies, records the copy in the target's audit trail and reports it. Returns the exit status. */
export async function runCopy(task: CopyTask, json: boolean | undefined, host: Host): Promise<0 | 3> {
  const { copyStore } = await import("../../../services/transfer/copy.ts");
  const { createParts } = await import("../../../services/transfer/parts.ts");
  const { act, from, store, force, detail } = task;
  const { runtime } = host;
  const to = createParts({ store, runtime });
  const report = await attempt(() => copyStore({ from, to, force }));
  const changed = report.items.filter(({ written, removed }) => written + removed > 0);
  if (changed.length > 0) {
    const numbers = Object.fromEntries(
      changed.map(({ kind, written, removed }) => [kind, { written, removed }]),
    );
    const entry = {
      ...callerOf(host),
      act,
      detail: { ...detail, ...(force && { force }), ...numbers },
      result: "done",
    };
    await attempt(async () => (await store.audit()).append(entry));
  }
  return writeReport(report, json, host);
}

/** Throws the StoreError that caused an error, if any: it has the advice for the operator. */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    throw cause instanceof StoreError && !(error instanceof StoreError) ? cause : error;
  }
}

async function writeReport(
  { items, damaged, verified }: CopyReport,
  json: boolean | undefined,
  host: Host,
): Promise<0 | 3> {
  if (json === true) await writeJson(host, { items, verified, damaged });
  else {
    const rows = items.map(({ kind, total, written, removed, kept, skipped }) =>
      [kind, total, written, removed, kept, skipped].map(String),
    );
    const headings = ["KIND", "TOTAL", "WRITTEN", "REMOVED", "KEPT", "SKIPPED"];
    await host.stdout.write(renderTable(headings, rows, host.stdout));
    await host.stderr.write("penknife: verified against the source after the last write\n");
  }
  for (const { kind, skipped } of items) {
    if (skipped === 0) continue;
    await host.stderr.write(
      `penknife: ${skipped} ${words[kind][skipped === 1 ? 0 : 1]} not copied: the target has others in their place, which are never overwritten\n`,
    );
  }
  for (const reason of damaged) await host.stderr.write(`penknife: not copied: ${visible(reason)}\n`);
  return damaged.length === 0 ? 0 : 3;
}

/** Parses `--from` and `--to`. @throws ToolError for an address that is not a store's. */
export function parsePlace(flag: string, text: string, prefix: string, cwd: (path: string) => string): Place {
  if (/^rediss?(?:\+sentinel|\+cluster)?:\/\//.test(text)) return { driver: "redis", url: text, prefix };
  const path = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(text)?.[1];
  if (path !== undefined) return { driver: "file", path: cwd(path) };
  // The text may contain a password, so it is not repeated.
  throw usageError(
    `${flag} must be file:FOLDER, such as file:./penknife-data, or redis://HOST:PORT/DATABASE.`,
  );
}
