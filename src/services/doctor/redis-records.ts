import { counted } from "../../lib/counted.ts";
import { idAt, type Place, placesOf, type RecordKind, recordKinds } from "../../storage/record-kinds.ts";
import { type EndpointRecord, type InboxRecord, parseEndpoint, parseInbox } from "../../storage/records.ts";
import type { RedisConnection } from "../../storage/redis/connect.ts";
import type { FoundRecord } from "../../storage/redis/search-names.ts";
import { error, type Finding, nameSome, note, ok } from "./finding.ts";
import { checkSecrets } from "./secrets.ts";

type Client = RedisConnection["client"];

const entriesAtOnce = 1000;

/** Checks the records in Redis and the lists of them, in steps. */
export async function checkRedisRecords(
  client: Client,
  prefix: string,
  encryptionKey: string,
): Promise<Finding[]> {
  const { nameOf, tagOf } = await import("../../storage/redis/client.ts");
  const { isListed, oldMarkKeys } = await import("../../storage/redis/marker.ts");
  const { parseText, searchNames } = await import("../../storage/redis/search-names.ts");
  const { listName } = await import("../../storage/redis/texts.ts");
  const tag = tagOf(client);
  const [oldest = ""] = oldMarkKeys(prefix, tag);
  const endpoints = new Map<string, EndpointRecord>();
  const inboxes = new Map<string, InboxRecord>();
  const lists = new Set<string>();
  const unlisted = new Set<string>();
  const listed = await isListed(client, prefix);

  async function readRecords(records: readonly FoundRecord[]): Promise<void> {
    const texts = await Promise.all(records.map(({ key }) => client.get(key)));
    const found = records.map(({ kind, id, key }, index) => {
      const raw = parseText(texts[index]);
      const endpoint = kind.base === "endpoints" ? parseEndpoint(raw) : undefined;
      const inbox = kind.base === "inboxes" ? parseInbox(raw) : undefined;
      if (endpoint !== undefined) endpoints.set(id, endpoint);
      if (inbox !== undefined) inboxes.set(id, inbox);
      return { key, text: texts[index] ?? null, places: placesOf(kind, id, raw), name: `${kind.base}/${id}` };
    });
    if (!listed) return;
    await Promise.all(
      found.map(async ({ key, text, places, name }) => {
        if (text === null || (await areEntered(places))) return;
        // It may have been changed or removed meanwhile.
        if ((await client.get(key)) === text && !(await areEntered(places))) unlisted.add(name);
      }),
    );
  }

  async function areEntered(places: readonly Place[]): Promise<boolean> {
    const scores = await Promise.all(
      places.map(({ list, entry }) => client.zscore(listName(prefix, list), entry)),
    );
    return !scores.includes(null);
  }

  async function countStale(list: string): Promise<number> {
    const base = list.split(":", 1)[0] ?? "";
    const kind = recordKinds[base as keyof typeof recordKinds] as RecordKind<unknown> | undefined;
    if (kind === undefined) return 0;
    let stale = 0;
    for (let after = "-"; ;) {
      const entries = await client.zrange(
        listName(prefix, list),
        after,
        "+",
        "BYLEX",
        "LIMIT",
        0,
        entriesAtOnce,
      );
      const texts = await Promise.all(
        entries.map((entry) => client.get(nameOf(tag, prefix, `${base}:${idAt(entry)}`))),
      );
      for (const [index, entry] of entries.entries()) {
        const text = texts[index] ?? null;
        const places = text === null ? [] : placesOf(kind, idAt(entry), parseText(text));
        if (places.some((place) => place.list === list && place.entry === entry)) continue;
        // It may have been removed with its record meanwhile.
        if ((await client.zscore(listName(prefix, list), entry)) !== null) stale += 1;
      }
      if (entries.length < entriesAtOnce) return stale;
      after = `(${entries.at(-1)}`;
    }
  }

  for await (const found of searchNames(client, prefix)) {
    await readRecords(found.records);
    for (const list of found.lists) lists.add(list);
  }
  let stale = 0;
  if (listed) for (const list of lists) stale += await countStale(list);
  return [
    ...(listed ? reportLists(oldest, unlisted, stale) : []),
    ...checkSecrets({ endpoints: [...endpoints.values()], inboxes: [...inboxes.values()] }, encryptionKey),
  ];
}

function reportLists(mark: string, unlisted: ReadonlySet<string>, stale: number): Finding[] {
  const findings: Finding[] = [];
  if (unlisted.size > 0) {
    findings.push(
      error(
        "redis.lists",
        `Missing in the lists that lead to them (${counted(unlisted.size, "record")}): ${nameSome(unlisted)}.`,
        `Have the lists made again: redis-cli SET ${mark} 1. A running server does it within seconds, otherwise the next start.`,
      ),
    );
  }
  if (stale > 0) {
    findings.push(
      note(
        "redis.lists",
        `${stale} ${stale === 1 ? "entry of a list leads" : "entries of lists lead"} to no record that belongs there.`,
        "No action is needed: what reads the list skips them.",
      ),
    );
  }
  return findings.length > 0 ? findings : [ok("redis.lists", "Every record is in its lists.")];
}
