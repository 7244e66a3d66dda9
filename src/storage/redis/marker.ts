import { type RedisClient, tagOf, untagged } from "./client.ts";
import { StoreError } from "../errors.ts";
import type { StoreNotice } from "../storage.ts";
import type { Guard } from "./guard.ts";
import { createScript, evenFull } from "./script.ts";

/** A record that exists as long as the store: its absence distinguishes an emptied Redis from a missing key. */
export interface Marker {
  /**
   * @param patienceMs Longest wait for the answer; short by default, because a request waits.
   * @throws StoreError `check` if the mark is gone.
   */
  check(patienceMs?: number): Promise<void>;
  /**
   * Returns the mark if the lists of records have to be made: the store is of a release without them, or one has written into
   * it again. Otherwise undefined.
   */
  unlisted(): Promise<string | undefined>;
  /** Notes that the lists are complete, unless they have to be made once more than `mark` says. */
  listed(mark: string): Promise<void>;
}

const waitMs = 50;
/** For a start: a slow disk can block Redis for seconds. */
const patientMs = 10_000;
/** The version of names and lists that this release writes, and the newest that it reads. */
const storeVersion = 2;

/** The key of the mark. */
export const markKey = (prefix: string, tag = untagged): string =>
  `${oldMarkKey(prefix, tag)}:${storeVersion}`;

/** The key of the mark of releases that list nothing. They add no record and accept no event while it is missing. */
export const oldMarkKey = (prefix: string, tag = untagged): string => prefix + tag("store");

/** Stands in the place of the older releases' list of servers, so that none of them starts. */
const forOlder =
  "This store has lists of its records. Servers of older releases cannot use it; upgrade them.";

/**
 * Takes over a store. KEYS are the mark, the old mark and the old list of servers; ARGV is the mark of a complete store, the mark of one
 * whose lists have to be made, whether a store may begin (1 or 0), and the text for the list of servers. Returns the mark (false if there
 * is no store) and whether there was none, 1 or 0.
 */
const takeOver = createScript(`${evenFull}local found = redis.call('get', KEYS[1])
local old = redis.call('exists', KEYS[2])
if found and old == 0 then return {found, 0} end
if not found and old == 0 and ARGV[3] == '0' then return {false, 0} end
local mark = old == 1 and ARGV[2] or ARGV[1]
redis.call('set', KEYS[1], mark)
redis.call('set', KEYS[3], ARGV[4])
redis.call('del', KEYS[2])
return {mark, old == 1 and 0 or 1}
`);

/** Replaces a mark. KEYS[1] is the mark; ARGV is the text to replace, and the new text. */
const replace =
  createScript(`${evenFull}if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('set', KEYS[1], ARGV[2]) end
`);

interface Mark {
  v: number;
  id: string;
  /** Random; set while the lists of records are not complete. */
  unlisted?: string;
}

/** Makes the mark if there is none and a store may begin. @throws StoreError `open` if it may not. */
export async function createMarker(options: {
  client: RedisClient;
  guard: Guard;
  prefix: string;
  /** Address of the server, for messages. */
  name: string;
  /** The id of a new store. */
  id: string;
  mayBegin: boolean;
  onNotice: StoreNotice;
}): Promise<Marker> {
  const { client, guard, prefix, name, id, mayBegin, onNotice } = options;
  const tag = tagOf(client);
  const key = markKey(prefix, tag);
  const oldKey = oldMarkKey(prefix, tag);
  // No older release has used a cluster; there the name only lies beside the others.
  const oldNodes = client.isCluster ? `${oldKey}:nodes` : `${prefix}nodes`;
  const patiently = <T>(work: () => Promise<T>): Promise<T> => guard.run("open", patientMs, work);
  let turns = 0;

  async function take(begin: boolean): Promise<{ text: string | null; begun: boolean }> {
    turns += 1;
    const whole: Mark = { v: storeVersion, id };
    const words = [toText(whole), toText({ ...whole, unlisted: `${id}-${turns}` }), begin ? 1 : 0, forOlder];
    const names = [key, oldKey, oldNodes];
    const [text, begun] = (await patiently(() => takeOver(client, names, words))) as [string | null, number];
    return { text, begun: begun === 1 };
  }

  const { text, begun } = await take(mayBegin);
  if (text === null) {
    throw new StoreError(
      "open",
      `Redis (${name}) contains no penknife store under ${prefix}. Check host, database and storage.prefix, or begin one with its first account: penknife admin accounts create NAME --plan pro`,
    );
  }
  requireVersion(text, name);
  if (begun) {
    const others = await patiently(() => client.dbsize());
    onNotice(
      "warn",
      `Redis (${name}) contained no penknife store under ${prefix}; a new one begins${others > 2 ? `, beside ${others - 2} other entries` : ""}. If one should exist, check host, database and storage.prefix.`,
    );
  }
  return {
    async check(patienceMs = waitMs) {
      if ((await guard.run("check", patienceMs, () => client.exists(key))) === 1) return;
      throw new StoreError(
        "check",
        `Redis (${name}) was emptied: the mark of the store (${key}) is gone. Restore a backup, or restart penknife to begin a new store.`,
      );
    },
    async unlisted() {
      const [old, found] = await patiently(() => Promise.all([client.exists(oldKey), client.get(key)]));
      // Only a start may begin a store: one that was emptied stays without a mark.
      const mark = old === 1 && found !== null ? (await take(false)).text : found;
      return mark !== null && fromText(mark).unlisted !== undefined ? mark : undefined;
    },
    async listed(mark) {
      const { v, id: of } = fromText(mark);
      await patiently(() => replace(client, [key], [mark, toText({ v, id: of })]));
    },
  };
}

/** Reports whether there is a store whose lists are complete. */
export async function isListed(client: RedisClient, prefix: string): Promise<boolean> {
  const tag = tagOf(client);
  const [old, text] = await Promise.all([
    client.exists(oldMarkKey(prefix, tag)),
    client.get(markKey(prefix, tag)),
  ]);
  return old === 0 && text !== null && fromText(text).unlisted === undefined;
}

/** @throws StoreError `open` for a store of a newer release. */
function requireVersion(text: string, name: string): void {
  const { v } = fromText(text);
  if (v <= storeVersion) return;
  throw new StoreError(
    "open",
    `Redis (${name}) contains a store of a newer release of penknife (version ${v}, this one reads ${storeVersion}). Start that release, or restore a backup into another prefix.`,
  );
}

const toText = (mark: Mark): string => JSON.stringify(mark);

function fromText(text: string): Mark {
  try {
    return JSON.parse(text) as Mark;
  } catch {
    return { v: storeVersion, id: "" };
  }
}
