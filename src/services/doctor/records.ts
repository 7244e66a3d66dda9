import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { counted } from "../../lib/counted.ts";
import { StoreError } from "../../storage/errors.ts";
import { temporarySuffix } from "../../storage/file-driver.ts";
import { recordFolders } from "../../storage/folder.ts";
import { readJournal } from "../../storage/journal/lines.ts";
import {
  type EndpointRecord,
  type InboxRecord,
  parseAccount,
  parseEndpoint,
  parseInbox,
  parseKey,
  parseLogin,
  parseSession,
} from "../../storage/records.ts";
import { checkDeliveries } from "./deliveries.ts";
import { error, type Finding, fromReason, note, ok, warning } from "./finding.ts";
import { checkSecrets } from "./secrets.ts";

const readsAtOnce = 64;
const shown = 3;

/** Checks the records in the folder of the file driver. */
export async function checkRecords(path: string, encryptionKey = ""): Promise<Finding[]> {
  const accounts = new Set<string>();
  const orphans = new Set<string>();
  const damaged: string[] = [];
  const halves: string[] = [];
  const endpoints: EndpointRecord[] = [];
  const inboxes: InboxRecord[] = [];
  let keys = 0;
  for (const kind of recordFolders) {
    const names = await readdir(join(path, kind)).catch(() => []);
    halves.push(...names.filter((name) => name.endsWith(temporarySuffix)));
    const records = names.filter((name) => name.endsWith(".json"));
    for (let at = 0; at < records.length; at += readsAtOnce) {
      await Promise.all(records.slice(at, at + readsAtOnce).map((name) => look(kind, name)));
    }
  }

  async function look(kind: (typeof recordFolders)[number], name: string): Promise<void> {
    const raw = await readJson(join(path, kind, name));
    const id = name.slice(0, -".json".length);
    switch (kind) {
      case "accounts": {
        if (parseAccount(raw)?.name === id) accounts.add(id);
        else damaged.push(`${kind}/${name}`);
        return;
      }
      case "keys": {
        const key = parseKey(raw);
        if (key?.id !== `key_${id}`) return void damaged.push(`${kind}/${name}`);
        keys += 1;
        orphans.add(key.account);
        return;
      }
      case "endpoints": {
        const endpoint = parseEndpoint(raw);
        if (endpoint?.id !== `we_${id}`) return void damaged.push(`${kind}/${name}`);
        endpoints.push(endpoint);
        return;
      }
      case "inboxes": {
        const inbox = parseInbox(raw);
        if (inbox?.id !== `in_${id}`) return void damaged.push(`${kind}/${name}`);
        inboxes.push(inbox);
        return;
      }
      // The accounts of sessions and codes are not checked: neither outlives the day or its account.
      case "sessions":
        return void (parseSession(raw)?.id === `ses_${id}` || damaged.push(`${kind}/${name}`));
      case "logins":
        return void (parseLogin(raw)?.id === `login_${id}` || damaged.push(`${kind}/${name}`));
    }
  }

  const ownerless = [...orphans].filter((name) => !accounts.has(name));
  return [
    damaged.length === 0
      ? ok("storage.records", `${counted(accounts.size, "account")} and ${counted(keys, "key")} can be read.`)
      : error(
          "storage.records",
          `Damaged, or of another release (${counted(damaged.length, "record")}): ${list(damaged)}.`,
          "Restore them from a backup (penknife admin restore), or remove them.",
        ),
    ...(ownerless.length === 0
      ? []
      : [
          warning(
            "storage.records",
            `These keys do not work, because their accounts do not exist: ${list(ownerless)}.`,
            "If an account was not deleted on purpose, create it again or restore a backup.",
          ),
        ]),
    ...(halves.length === 0
      ? []
      : [
          note(
            "storage.records",
            `A crash left ${counted(halves.length, "file")} half written.`,
            "No action is needed: the next start removes them.",
          ),
        ]),
    ...checkSecrets({ endpoints: endpoints.toSorted(byId), inboxes: inboxes.toSorted(byId) }, encryptionKey),
    checkJournal(join(path, "counters.log")),
    ...(await checkDeliveries(path)),
  ];
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}

const byId = (a: { id: string }, b: { id: string }): number => a.id.localeCompare(b.id);

function checkJournal(file: string): Finding {
  try {
    return ok(
      "storage.journal",
      `The journal of counters has ${counted(readJournal(file).length, "window")}.`,
    );
  } catch (cause) {
    const action = "Give it to the server's user, or remove it: the counts of this hour are then lost.";
    return cause instanceof StoreError
      ? fromReason("storage.journal", cause.reason, action)
      : error("storage.journal", `${file} cannot be read: ${(cause as Error).message}.`, action);
  }
}

const list = (names: readonly string[]): string =>
  `${names.toSorted().slice(0, shown).join(", ")}${names.length > shown ? ", …" : ""}`;
