import { join } from "node:path";
import { counted } from "../../lib/counted.ts";
import { StoreError } from "../../storage/errors.ts";
import { recordsFile } from "../../storage/folder.ts";
import { emptiedJournal, isEmptied, readJournal } from "../../storage/journal/lines.ts";
import { type KindName, placesOf, type RecordKind, recordKinds } from "../../storage/record-kinds.ts";
import type { EndpointRecord, InboxRecord, KeyRecord } from "../../storage/records.ts";
import type { Database } from "../../storage/sqlite/database.ts";
import { openRecordsCopy } from "../../storage/sqlite/copy-records.ts";
import { checkDeliveries } from "./deliveries.ts";
import { checkInboxes } from "./inboxes.ts";
import { error, type Finding, fromReason, nameSome, ok, warning } from "./finding.ts";
import { checkSecrets } from "./secrets.ts";

/** Faults of the database that are shown. */
const maxFaults = 3;
/** Records read in one turn of the event loop of a server. */
const recordsAtOnce = 64;
const everything = 1_000_000_000;
/** Copies made of the database of a running server, which may write while it is copied. */
const maxCopies = 4;

/** Checks the records in the folder of the file driver. */
export async function checkRecords(path: string, encryptionKey = ""): Promise<Finding[]> {
  let found: Examined = emptyExamined();
  // A server that writes meanwhile spoils a copy; damage is in each.
  for (let copies = 0; copies < maxCopies; copies++) {
    found = await examineCopy(path);
    if (found.damaged.length + found.faults.length === 0) break;
  }
  const { accounts, keys, owners, damaged, faults, endpoints, inboxes } = found;
  const ownerless = [...owners].filter((name) => !accounts.has(name));
  return [
    damaged.length === 0
      ? ok("storage.records", `${counted(accounts.size, "account")} and ${counted(keys, "key")} can be read.`)
      : error(
          "storage.records",
          `Damaged, or of another release (${counted(damaged.length, "record")}): ${nameSome(damaged)}.`,
          "Restore them from a backup (penknife admin restore), or remove them.",
        ),
    ...(ownerless.length === 0
      ? []
      : [
          warning(
            "storage.records",
            `These keys do not work, because their accounts do not exist: ${nameSome(ownerless)}.`,
            "If an account was not deleted on purpose, create it again or restore a backup.",
          ),
        ]),
    ...(faults.length === 0
      ? []
      : [
          error(
            "storage.database",
            `${join(path, recordsFile)} is damaged: ${faults.slice(0, maxFaults).join("; ")}.`,
            "Make a backup of what can be read (penknife admin backup), and restore it into an empty folder.",
          ),
        ]),
    ...checkSecrets({ endpoints, inboxes }, encryptionKey),
    checkJournal(join(path, "counters.log")),
    ...(await checkDeliveries(path)),
    ...(await checkInboxes(path)),
  ];
}

interface Examined {
  accounts: Set<string>;
  keys: number;
  /** The accounts of keys. */
  owners: Set<string>;
  /** Names of records. */
  damaged: string[];
  /** Faults of the database itself. */
  faults: string[];
  endpoints: EndpointRecord[];
  inboxes: InboxRecord[];
}

const emptyExamined = (): Examined => ({
  accounts: new Set(),
  keys: 0,
  owners: new Set(),
  damaged: [],
  faults: [],
  endpoints: [],
  inboxes: [],
});

/** Reads a copy of all records, so that a server can go on. */
async function examineCopy(path: string): Promise<Examined> {
  const found = emptyExamined();
  let database: Database;
  try {
    database = openRecordsCopy(path, { onError: () => {} });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return found;
    return { ...found, faults: [(cause as Error).message] };
  }
  try {
    found.faults.push(...database.findFaults());
    for (const [name, kind] of Object.entries(recordKinds) as [KindName, RecordKind<unknown>][])
      await examineKind(database, name, kind, found);
  } catch (cause) {
    found.faults.push((cause as Error).message);
  } finally {
    database.close();
  }
  return found;
}

async function examineKind(
  database: Database,
  name: KindName,
  kind: RecordKind<unknown>,
  found: Examined,
): Promise<void> {
  const ids = database.entries(name, { limit: everything });
  if (database.count(name) !== ids.length) found.faults.push(`the number of ${name} is wrong`);
  for (const [at, id] of ids.entries()) {
    if (at % recordsAtOnce === 0) await nextTurn();
    const record = readRecord(database, `${name}:${id}`, kind);
    if (record === undefined || kind.idOf(record) !== id) {
      found.damaged.push(`${name}/${id}`);
      continue;
    }
    if (placesOf(kind, id, record).some((place) => !database.isListed(place)))
      found.faults.push(`${name}/${id} is missing in a list`);
    // The accounts of sessions and codes are not checked: neither outlives the day or its account.
    if (name === "accounts") found.accounts.add(id);
    if (name === "keys") {
      found.keys += 1;
      found.owners.add((record as KeyRecord).account);
    }
    if (name === "endpoints") found.endpoints.push(record as EndpointRecord);
    if (name === "inboxes") found.inboxes.push(record as InboxRecord);
  }
}

function readRecord(database: Database, key: string, kind: RecordKind<unknown>): unknown {
  try {
    return kind.parse(JSON.parse(database.read(key) ?? "null"));
  } catch {
    return undefined;
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function checkJournal(file: string): Finding {
  if (isEmptied(file)) return warning("storage.journal", emptiedJournal(file), "The counts begin again.");
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
