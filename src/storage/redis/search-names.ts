import { type RedisClient, serversOf } from "./client.ts";
import { idPattern, type RecordKind, recordKinds } from "../record-kinds.ts";
import { listName } from "./texts.ts";

/** A record as it is stored under a name. */
export interface FoundRecord {
  kind: RecordKind<unknown>;
  id: string;
  /** The name in Redis. */
  key: string;
}

/** The names that one step of a search finds; a later step may find the same ones again. */
export interface Found {
  records: FoundRecord[];
  /** Names of lists, without their prefix. */
  lists: string[];
  /** Names of deliveries as releases before shards of deliveries kept them, without their prefix. */
  deliveries: string[];
}

/** Names that Redis looks at in one step, during which it answers nobody else: about a millisecond. */
const namesAtOnce = 1000;

/** In a cluster ids are in braces. */
const recordName = new RegExp(`^(${Object.keys(recordKinds).join("|")}):\\{?(${idPattern})\\}?$`);

/** Searches all names of the database, those of others included, in steps. `attempt` runs each of them. */
export async function* searchNames(
  client: RedisClient,
  prefix: string,
  attempt: <T>(step: () => Promise<T>) => Promise<T> = (step) => step(),
): AsyncIterable<Found> {
  const listPrefix = listName(prefix, "");
  const deliveryPrefix = `${prefix}wh:`;
  for (const server of serversOf(client)) {
    let cursor = "0";
    do {
      const from = cursor;
      const [next, names] = await attempt(() =>
        server.scan(from, "MATCH", `${escaped(prefix)}*`, "COUNT", namesAtOnce),
      );
      cursor = next;
      const records = names.flatMap((key): FoundRecord[] => {
        const [, base = "", id = ""] = recordName.exec(key.slice(prefix.length)) ?? [];
        if (id === "") return [];
        return [{ kind: recordKinds[base as keyof typeof recordKinds] as RecordKind<unknown>, id, key }];
      });
      const below = (start: string): string[] =>
        names.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
      yield { records, lists: below(listPrefix), deliveries: below(deliveryPrefix) };
    } while (cursor !== "0");
  }
}

/** Returns the value of a record's text; undefined for a text that is damaged or missing. */
export function parseText(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** The prefix as a pattern of SCAN. */
const escaped = (text: string): string => text.replaceAll(/[\\*?[\]^]/g, String.raw`\$&`);
