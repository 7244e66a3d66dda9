import { join } from "node:path";
import { counted } from "../../lib/counted.ts";
import { historyFile } from "../../storage/folder.ts";
import type { EndedPage, EndedText } from "../../storage/history/ended-rows.ts";
import { openHistoryCopy } from "../../storage/history/copy-history.ts";
import type { HistoryDatabase } from "../../storage/history/database.ts";
import { firstId, lastId, toIdBytes } from "../../storage/deliveries/delivery-ids.ts";
import type { UsagePage } from "../../storage/history/usage-rows.ts";
import type { UsePage } from "../../storage/history/use-rows.ts";
import { error, type Finding, nameSome, ok, warning } from "./finding.ts";

/** Copies made of the database of a running server, which may write while it is read. */
const maxCopies = 4;
/** Faults of the database that are shown. */
const maxFaults = 3;
/** Ended deliveries read in one turn of the event loop of a server. */
const endedAtOnce = 64;

interface Examined {
  usage: number;
  uses: number;
  ended: number;
  /** Rows whose checksum does not fit. */
  damaged: string[];
  /** Faults of the database itself, or of the files of an older release. */
  faults: string[];
  /** Problems of the files that an older release left. */
  old: string[];
}

/** Checks every row of the history in the folder of the file driver, and the pages of its database. */
export async function checkHistory(path: string): Promise<Finding[]> {
  let found = await examineCopy(path);
  // A server that writes meanwhile spoils what is read; damage is there each time.
  for (let copies = 1; copies < maxCopies && found.damaged.length + found.faults.length > 0; copies++)
    found = await examineCopy(path);
  const { usage, uses, ended, damaged, faults, old } = found;
  const file = join(path, historyFile);
  return [
    ...(damaged.length + faults.length === 0
      ? [
          ok(
            "storage.history",
            `The history can be read: ${counted(usage, "row")} of usage, ${counted(uses, "last use")}, ${counted(ended, "ended delivery", "ended deliveries")}.`,
          ),
        ]
      : []),
    ...(damaged.length === 0
      ? []
      : [
          error(
            "storage.history",
            `Damaged rows of ${file} (${counted(damaged.length, "row")}): ${nameSome(damaged)}.`,
            "They are left out, and nothing else depends on them. Check the disk.",
          ),
        ]),
    ...(faults.length === 0
      ? []
      : [
          error(
            "storage.history",
            `${file} is damaged: ${faults.slice(0, maxFaults).join("; ")}.`,
            "Stop the server, and put the file back from a copy or remove it: usage, last uses and ended deliveries begin anew, and nothing else depends on them.",
          ),
        ]),
    ...old.map((reason) =>
      warning("storage.history", reason, "The next start leaves that part out. Check the disk."),
    ),
  ];
}

async function examineCopy(path: string): Promise<Examined> {
  const found: Examined = { usage: 0, uses: 0, ended: 0, damaged: [], faults: [], old: [] };
  let database: HistoryDatabase | undefined;
  try {
    database = await openHistoryCopy(path, { onError: ({ reason }) => void found.old.push(reason) });
    found.faults.push(...database.findFaults());
    await examineUsage(database, found);
    await examineUses(database, found);
    await examineEnded(database, found);
  } catch (cause) {
    found.faults.push((cause as Error).message);
  } finally {
    database?.close();
  }
  return found;
}

async function examineUsage(database: HistoryDatabase, found: Examined): Promise<void> {
  let page: UsagePage | undefined;
  do {
    const range = { from: 0, until: Infinity, account: undefined };
    page = database.perform({ act: "usage", ...range, after: page?.next }) as UsagePage;
    found.usage += page.rows.length;
    found.damaged.push(...page.damaged);
    await nextTurn();
  } while (page.next !== undefined);
}

async function examineUses(database: HistoryDatabase, found: Examined): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined;) {
    const page = database.perform({ act: "uses", ids: undefined, after }) as UsePage;
    found.uses += page.uses.length;
    found.damaged.push(...page.damaged);
    after = page.next;
    await nextTurn();
  }
}

async function examineEnded(database: HistoryDatabase, found: Examined): Promise<void> {
  for (let below: Uint8Array | undefined = lastId; below !== undefined;) {
    const bounds = { values: {}, below, from: firstId, limit: endedAtOnce };
    const page = database.perform({ act: "endedPage", bounds }) as EndedPage;
    found.ended += page.texts.length;
    found.damaged.push(...page.damaged);
    for (const text of page.texts) {
      const { id } = JSON.parse(text) as { id: string };
      const whole = database.perform({ act: "ended", id: toIdBytes(id) ?? firstId }) as EndedText | null;
      if (whole?.rest === undefined) found.damaged.push(`the attempts and the body of ${id}`);
    }
    below = page.next;
    await nextTurn();
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
