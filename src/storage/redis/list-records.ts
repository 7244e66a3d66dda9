import { setTimeout as sleep } from "node:timers/promises";
import { idPattern, type Place, placesOf, type RecordKind, recordKinds } from "../record-kinds.ts";
import { createRedisHold } from "./hold.ts";
import type { RelistingOptions } from "./relisting.ts";
import { listName } from "./texts.ts";

/** Names that Redis looks at in one step, during which it answers nobody else: about a millisecond. */
const namesAtOnce = 1000;
const waitMs = 10_000;
/** Others wait this long for the process that makes the lists: enough for a hundred million names. */
const patienceMs = 600_000;
/** Not the name of an account. */
const leaseOfLists = "*lists";
/**
 * A process of an older release may have found the old mark just before it was taken away, and writes its record a moment later. Records
 * that are there when the search begins are found.
 */
const settleMs = 1000;

const recordName = new RegExp(`^(${Object.keys(recordKinds).join("|")}):(${idPattern})$`);

/**
 * Makes the lists of a store that has none, from all names in the database: the only search of that kind. Every step may be made twice,
 * so a process that is killed leaves nothing behind that the next one does not complete.
 */
export async function listRecords(options: RelistingOptions): Promise<void> {
  const { client, guard, prefix, marker, name, runtime, onNotice } = options;
  const hold = createRedisHold({ client, guard, prefix, runtime, patienceMs });
  const step = <T>(work: () => Promise<T>): Promise<T> => guard.run("open", waitMs, work);

  async function list(names: readonly string[]): Promise<number> {
    const found = names.flatMap((each) => recordName.exec(each.slice(prefix.length)) ?? []);
    const records: [kind: RecordKind<unknown>, id: string, key: string][] = [];
    for (let at = 0; at < found.length; at += 3) {
      const [key = "", base = "", id = ""] = found.slice(at, at + 3);
      records.push([recordKinds[base as keyof typeof recordKinds] as RecordKind<unknown>, id, prefix + key]);
    }
    const texts = await step(() => Promise.all(records.map(([, , key]) => client.get(key))));
    const places = records.flatMap(([kind, id], index): Place[] => {
      const text = texts[index];
      return text === null || text === undefined ? [] : placesOf(kind, id, parse(text));
    });
    await step(() =>
      Promise.all(places.map((place) => client.zadd(listName(prefix, place.list), 0, place.entry))),
    );
    return records.length;
  }

  async function listAll(mark: string): Promise<void> {
    const since = runtime.monotonic();
    onNotice(
      "warn",
      `The store in Redis (${name}) was written by a release without lists of records; they are being made now. Servers and commands of that release cannot add to the store any more: upgrade them. Until then they report that Redis was emptied or has a value of another type; neither is the case.`,
    );
    await sleep(settleMs);
    let cursor = "0";
    let count = 0;
    do {
      const from = cursor;
      const [next, names] = await step(() =>
        client.scan(from, "MATCH", `${escaped(prefix)}*`, "COUNT", namesAtOnce),
      );
      cursor = next;
      count += await list(names);
    } while (cursor !== "0");
    await marker.listed(mark);
    const seconds = ((runtime.monotonic() - since) / 1000).toFixed(1);
    onNotice("info", `The lists of ${count} records in Redis (${name}) are complete, after ${seconds} s`);
  }

  await hold(leaseOfLists, async () => {
    // Another process may have made them meanwhile.
    const mark = await marker.unlisted();
    if (mark !== undefined) await listAll(mark);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The prefix as a pattern of SCAN. */
const escaped = (text: string): string => text.replaceAll(/[\\*?[\]^]/g, String.raw`\$&`);
