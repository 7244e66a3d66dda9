import { type RedisClient, serversOf, tagOf, untagged } from "./client.ts";
import type { Cluster } from "ioredis";
import { StoreError } from "../errors.ts";
import type { StoreNotice } from "../storage.ts";
import type { Guard } from "./guard.ts";
import { createScript, evenFull } from "./script.ts";
import { createServerMarks, type ServerMarks } from "./server-marks.ts";

/** A record that exists as long as the store: its absence distinguishes an emptied Redis from a missing key. */
export interface Marker {
  /**
   * @param patienceMs Longest wait for the answer; short by default, because a request waits.
   * @param name A name that was not found: the server of a cluster on which it would be must have its mark, too. Without it those of all
   *   servers that answer are looked for.
   * @throws StoreError `check` if a mark is gone.
   */
  check(patienceMs?: number, name?: string): Promise<void>;
  /**
   * Returns the mark if the store has to be completed: it is of an older release, or one has written into it again. Otherwise
   * undefined.
   */
  unlisted(): Promise<string | undefined>;
  /** Notes that the store is complete, unless it has to be completed once more than `mark` says. */
  listed(mark: string): Promise<void>;
}

const waitMs = 100;
/** For a start: a slow disk can block Redis for seconds. */
const patientMs = 10_000;
/** The version of names and lists that this release writes, and the newest that it reads. */
const storeVersion = 4;

/** The key of the mark. */
export const markKey = (prefix: string, tag = untagged): string => `${prefix}${tag("store")}:${storeVersion}`;

/** The keys of the marks of older releases. They add no record and accept no event while theirs is missing. */
export const oldMarkKeys = (prefix: string, tag = untagged): string[] => {
  const first = prefix + tag("store");
  return [first, `${first}:2`, `${first}:3`];
};

/** Names of a store that has just begun: its mark and the three below. */
const ownNames = 4;
/** Stands in the place of the older releases' lists of servers, so that none of them starts. */
const forOlder = "This store is of a newer release. Servers of older releases cannot use it; upgrade them.";

/**
 * Takes over a store. KEYS are the mark, the old marks and the old lists of servers; ARGV is the mark of a complete store, the mark of one
 * that has to be completed, whether a store may begin (1 or 0), the text for the lists of servers, and the number of old marks. Returns the
 * mark (false if there is no store) and whether there was none, 1 or 0.
 */
const takeOver = createScript(`${evenFull}local found = redis.call('get', KEYS[1])
local last, old = 1 + ARGV[5], 0
for n = 2, last do old = old + redis.call('exists', KEYS[n]) end
if found and old == 0 then return {found, 0} end
if not found and old == 0 and ARGV[3] == '0' then return {false, 0} end
local mark = old > 0 and ARGV[2] or ARGV[1]
redis.call('set', KEYS[1], mark)
for n = last + 1, #KEYS do redis.call('set', KEYS[n], ARGV[4]) end
for n = 2, last do redis.call('del', KEYS[n]) end
return {mark, old > 0 and 0 or 1}
`);

/** Replaces a mark. KEYS[1] is the mark; ARGV is the text to replace, and the new text. */
const replace =
  createScript(`${evenFull}if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('set', KEYS[1], ARGV[2]) end
`);

interface Mark {
  v: number;
  id: string;
  /** Random; set while the lists of records are not complete, or deliveries of older releases have not been moved. */
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
  const oldKeys = oldMarkKeys(prefix, tag);
  // Only the last of the older releases has used a cluster, where its list lies elsewhere.
  const lastServers = `${prefix}servers:3`;
  const oldServers = client.isCluster ? [] : [`${prefix}nodes`, `${prefix}servers`, lastServers];
  const patiently = <T>(work: () => Promise<T>): Promise<T> => guard.run("open", patientMs, work);
  let turns = 0;

  async function take(begin: boolean): Promise<{ text: string | null; begun: boolean }> {
    turns += 1;
    const whole: Mark = { v: storeVersion, id };
    const marks = [toText(whole), toText({ ...whole, unlisted: `${id}-${turns}` })];
    const words = [...marks, begin ? 1 : 0, forOlder, oldKeys.length];
    const names = [key, ...oldKeys, ...oldServers];
    const [text, begun] = (await patiently(() => takeOver(client, names, words))) as [string | null, number];
    if (client.isCluster && text !== null) await patiently(() => client.set(lastServers, forOlder));
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
    const counts = await patiently(() => Promise.all(serversOf(client).map((server) => server.dbsize())));
    const others = counts.reduce((sum, count) => sum + count, 0);
    onNotice(
      "warn",
      `Redis (${name}) contained no penknife store under ${prefix}; a new one begins${others > ownNames ? `, beside ${others - ownNames} other entries` : ""}. If one should exist, check host, database and storage.prefix.`,
    );
  }
  const ofServers = client.isCluster ? createServerMarks(client as Cluster, prefix, storeVersion) : undefined;
  if (ofServers !== undefined) await patiently(() => markServers(ofServers));

  /** Makes the marks of servers. If only some are missing, they were lost with everything else on their server. */
  async function markServers(marks: ServerMarks): Promise<void> {
    const found = await Promise.all(marks.names.map((mark) => client.exists(mark)));
    const missing = marks.names.filter((_, n) => found[n] === 0);
    const isLoss = missing.length < marks.names.length;
    if (missing.length === 0 || (isLoss && !mayBegin)) return;
    if (isLoss) {
      const servers = [...new Set(missing.map(marks.serverOf))].join(" and ");
      onNotice(
        "warn",
        `Redis (${name}) has lost what was on ${servers}: keys, revocations, accounts and counts. From now on they are reported as unknown. Restore a backup, and repeat the revocations that were made after it.`,
      );
    }
    await Promise.all(missing.map((mark) => client.set(mark, id)));
  }

  /** Returns the mark of a server that is gone. */
  async function findLost(patienceMs: number, of: string | undefined): Promise<string | undefined> {
    if (ofServers === undefined) return undefined;
    const near = of === undefined ? ofServers.ofServers() : [ofServers.near(of) ?? key];
    const found = await Promise.all(
      near.map((mark) => {
        const looking = guard.run("check", patienceMs, () => client.exists(mark));
        // A server that is gone for the moment has lost nothing.
        return of === undefined ? looking.catch(() => 1) : looking;
      }),
    );
    return near.find((_, n) => found[n] === 0);
  }

  return {
    async check(patienceMs = waitMs, of) {
      const [found, lost] = await Promise.all([
        guard.run("check", patienceMs, () => client.exists(key)),
        findLost(patienceMs, of),
      ]);
      if (found === 1 && lost === undefined) return;
      const where = found === 1 && lost !== undefined ? `${ofServers?.serverOf(lost)} of ${name}` : name;
      throw new StoreError(
        "check",
        `Redis (${where}) was emptied: the mark of the store (${found === 1 ? lost : key}) is gone. Restore a backup, or restart penknife to begin a new store.`,
      );
    },
    async unlisted() {
      const [old, found] = await patiently(() => Promise.all([client.exists(...oldKeys), client.get(key)]));
      // Only a start may begin a store: one that was emptied stays without a mark.
      const mark = old > 0 && found !== null ? (await take(false)).text : found;
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
    client.exists(...oldMarkKeys(prefix, tag)),
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
