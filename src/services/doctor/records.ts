import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { StoreError } from "../storage/errors.ts";
import { temporarySuffix } from "../storage/file-driver.ts";
import { recordFolders } from "../storage/folder.ts";
import { readJournal } from "../storage/journal-file.ts";
import { parseAccount, parseKey } from "../storage/records.ts";
import { error, type Finding, fromReason, note, ok, warning } from "./finding.ts";

const readsAtOnce = 64;
const shown = 3;

/** What lies in the folder of the file driver. */
export async function checkRecords(path: string): Promise<Finding[]> {
  const accounts = new Set<string>();
  const orphans = new Set<string>();
  const damaged: string[] = [];
  const halves: string[] = [];
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
    const record = await readRecord(join(path, kind, name), kind);
    const id = name.slice(0, -".json".length);
    if (record === undefined || record.id !== id) return void damaged.push(`${kind}/${name}`);
    if (record.owner === undefined) return void accounts.add(id);
    keys += 1;
    orphans.add(record.owner);
  }

  const ownerless = [...orphans].filter((name) => !accounts.has(name));
  return [
    damaged.length === 0
      ? ok("storage.records", `${count(accounts.size, "account")} and ${count(keys, "key")} can be read.`)
      : error(
          "storage.records",
          `Damaged, or of another release (${count(damaged.length, "record")}): ${list(damaged)}.`,
          "Restore them from a backup (penknife admin restore), or remove them.",
        ),
    ...(ownerless.length === 0
      ? []
      : [
          warning(
            "storage.records",
            `There are keys of accounts that do not exist, and do not work: ${list(ownerless)}.`,
            "Create the account again, or restore a backup, if it was not deleted on purpose.",
          ),
        ]),
    ...(halves.length === 0
      ? []
      : [
          note(
            "storage.records",
            `A crash has left ${count(halves.length, "file")} half written.`,
            "Nothing has to be done: the next start removes them.",
          ),
        ]),
    checkJournal(join(path, "counters.log")),
  ];
}

/** Undefined for what is no record; `owner` is the account of a key. */
async function readRecord(
  file: string,
  kind: (typeof recordFolders)[number],
): Promise<{ id: string; owner?: string } | undefined> {
  let raw: unknown;
  try {
    raw = JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
  if (kind === "accounts") {
    const account = parseAccount(raw);
    return account && { id: account.name };
  }
  const key = parseKey(raw);
  return key && { id: key.id.slice("key_".length), owner: key.account };
}

function checkJournal(file: string): Finding {
  try {
    return ok(
      "storage.journal",
      `The journal of the counters has ${count(readJournal(file).length, "window")}.`,
    );
  } catch (cause) {
    const action = "Give it to the user of the server, or remove it: the use of this hour is then forgotten.";
    return cause instanceof StoreError
      ? fromReason("storage.journal", cause.reason, action)
      : error("storage.journal", `${file} cannot be read: ${(cause as Error).message}.`, action);
  }
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;

const list = (names: readonly string[]): string =>
  `${names.toSorted().slice(0, shown).join(", ")}${names.length > shown ? ", …" : ""}`;
