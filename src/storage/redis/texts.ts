import { nameOf, type RedisClient, type Tag, tagOf } from "./client.ts";
import type { Lease } from "../lease.ts";
import type { Place } from "../record-kinds.ts";
import type { Stored, Swapped, Texts } from "../texts.ts";
import type { Confirmed } from "./confirmed.ts";
import type { Guard } from "./guard.ts";
import { leaseName } from "./hold.ts";
import type { Marker } from "./marker.ts";
import { createScript, evenFull, type Script, type ScriptArgument } from "./script.ts";

export interface RedisTextsOptions {
  client: RedisClient;
  guard: Guard;
  prefix: string;
  marker: Marker;
  /** For changes of keys and accounts; without it they are like others. */
  confirmed?: Confirmed;
  /** Longest wait for an answer. */
  waitMs: number;
  /** Whether to write although Redis is full. */
  isUrgent(): boolean;
}

/**
 * Replaces one record. KEYS are the record, its mark (itself, if it has none), the lease of its account (itself, if none is given), and the lists that
 * the record enters and leaves; ARGV is the text to replace (`-` for none, `*` for any), the new text (`-` for none), the mark (`-` for
 * none), the token and the end of the lease (`-` for none), the number of lists that it enters, and its entries in all the lists.
 *
 * The end by the clock of Redis alone keeps a holder that was stopped from writing: nobody else is given the lease before
 * it. The token also does so if Redis has lost the lease in a failover. Where a record and a lease lie on different servers
 * the script cannot see the token, and the end has to suffice.
 */
const script = `if ARGV[4] ~= '-' then
  local time = redis.call('time')
  if time[1] * 1000 + math.floor(time[2] / 1000) >= tonumber(ARGV[5]) then return 'late' end
  if KEYS[3] ~= KEYS[1] and redis.call('hget', KEYS[3], 'token') ~= ARGV[4] then return 'late' end
end
if ARGV[1] ~= '*' and (redis.call('get', KEYS[1]) or '-') ~= ARGV[1] then return 'changed' end
local entered = 3 + tonumber(ARGV[6])
for n = 4, entered do redis.call('zadd', KEYS[n], 0, ARGV[n + 3]) end
if ARGV[2] == '-' then redis.call('del', KEYS[1]) else redis.call('set', KEYS[1], ARGV[2]) end
if ARGV[3] ~= '-' then redis.call('set', KEYS[2], ARGV[3]) end
for n = entered + 1, #KEYS do redis.call('zrem', KEYS[n], ARGV[n + 3]) end
return 'done'
`;

/** Removes an entry whose record is missing. KEYS are the record and the list; ARGV[1] is the entry. */
const strike =
  createScript(`${evenFull}if redis.call('exists', KEYS[1]) == 0 then redis.call('zrem', KEYS[2], ARGV[1]) end
`);

/** Enters a record into a list of a cluster. KEYS[1] is the list, ARGV[1] the entry. */
const entering = "redis.call('zadd', KEYS[1], 0, ARGV[1])\n";
const enterOne = createScript(entering);
const enterWhereFull = createScript(`${evenFull}${entering}`);

/** The sorted set of a list. All its entries have the score 0, by which Redis orders them by their bytes. */
export const listName = (prefix: string, list: string): string => `${prefix}list:${list}`;

/** Records in Redis, which any number of processes replace. Names are those of unstorage. */
export function createRedisTexts(options: RedisTextsOptions): Texts {
  const { client, guard, prefix, marker, confirmed, waitMs, isUrgent } = options;
  const swap = createScript(script);
  const swapWhereFull = createScript(`${evenFull}${script}`);
  const tag = tagOf(client);

  /** Enters a record of a cluster into its lists, before it is written: an entry without a record is skipped, a record without an entry is lost. */
  async function enterAll(key: string, places: readonly Place[]): Promise<void> {
    const run = isUrgent() ? enterWhereFull : enterOne;
    await Promise.all(places.map(({ list, entry }) => write(key, run, [listName(prefix, list)], [entry])));
  }

  /** Runs a script for a record. What opens and closes access has to outlive a failover. */
  const write = (
    key: string,
    run: Script,
    names: readonly string[],
    words: readonly ScriptArgument[],
  ): Promise<unknown> =>
    confirmed !== undefined && /^(?:keys|accounts):/.test(key)
      ? confirmed.run(run, names, words)
      : guard.run("write", waitMs, () => run(client, names, words));

  /** Removes entries of a cluster's lists that do not belong to a record with this text, and enters them again if it has another one by then. */
  async function leaveAll(key: string, text: string | null, places: readonly Place[]): Promise<void> {
    if (places.length === 0) return;
    const record = nameOf(tag, prefix, key);
    const isSame = async (): Promise<boolean> =>
      (await guard.run("read", waitMs, () => client.get(record))) === text;
    if (!(await isSame())) return;
    await guard.run("write", waitMs, () =>
      Promise.all(places.map(({ list, entry }) => client.zrem(listName(prefix, list), entry))),
    );
    if (!(await isSame())) await enterAll(key, places);
  }

  /** Reports whether nobody else has taken a lease; where a script cannot see it, its end by the clock still protects what follows. */
  const isHeld = async ({ account, token }: Lease): Promise<boolean> =>
    (await guard.run("read", waitMs, () => client.hget(leaseName(tag, prefix, account), "token"))) ===
    String(token);

  return {
    async read(key): Promise<Stored> {
      const [text, mark] = await guard.run("read", waitMs, () => readBoth(client, prefix, key));
      if (text === null) await marker.check(waitMs, nameOf(tag, prefix, key));
      return { text, value: text === null ? undefined : parse(withMark(text, mark)) };
    },
    async swap(key, { before, after, lease, mark, enter = [], leave = [] }) {
      // A removal needs no memory.
      const run = isUrgent() || after === null ? swapWhereFull : swap;
      const record = nameOf(tag, prefix, key);
      // The lists of a cluster lie on other servers than the record, and the lease of an account beside its record alone.
      const places: readonly Place[] = client.isCluster ? [] : [...enter, ...leave];
      const isBeside = !client.isCluster || lease === undefined || key === `accounts:${lease.account}`;
      const names = [
        record,
        isMarked(key) ? markName(tag, prefix, key) : record,
        lease === undefined || !isBeside ? record : leaseName(tag, prefix, lease.account),
        ...places.map(({ list }) => listName(prefix, list)),
      ];
      const text = before === undefined ? "*" : (before ?? "-");
      const words = [
        text,
        after ?? "-",
        mark ?? "-",
        lease?.token ?? "-",
        lease?.until ?? "-",
        client.isCluster ? 0 : enter.length,
        ...places.map(({ entry }) => entry),
      ];
      const replace = async (): Promise<Swapped> => (await write(key, run, names, words)) as Swapped;
      if (!client.isCluster) return replace();
      if (lease !== undefined && !isBeside && !(await isHeld(lease))) return "late";
      await enterAll(key, enter);
      const swapped = await replace();
      if (swapped !== "done") return swapped;
      // Somebody who missed the record may have struck the entries just before it was written.
      await enterAll(key, enter);
      await leaveAll(key, after, leave);
      return swapped;
    },
    async entries(list, { after, until, limit }) {
      const from = after === undefined ? "-" : `(${after}`;
      const to = until === undefined ? "+" : `(${until}`;
      const entries = await guard.run("read", waitMs, () =>
        client.zrange(listName(prefix, list), from, to, "BYLEX", "LIMIT", 0, limit),
      );
      if (entries.length === 0) await marker.check(waitMs, listName(prefix, list));
      return entries;
    },
    count: (list) => guard.run("read", waitMs, () => client.zcard(listName(prefix, list))),
    async strike(key, { list, entry }) {
      if (client.isCluster) return leaveAll(key, null, [{ list, entry }]);
      const names = [nameOf(tag, prefix, key), listName(prefix, list)];
      await guard.run("write", waitMs, () => strike(client, names, [entry]));
    },
  };
}

/** Reads a record and, if it is a key, its mark, in one packet. */
export function readBoth(
  client: RedisClient,
  prefix: string,
  key: string,
): Promise<[text: string | null, mark: string | null]> {
  const tag = tagOf(client);
  return Promise.all([
    client.get(nameOf(tag, prefix, key)),
    isMarked(key) ? client.get(markName(tag, prefix, key)) : null,
  ]);
}

/**
 * Returns a key with its revocation. Releases without marks write a key as they have read it, so a slow one could take the
 * revocation away from the record; nobody takes away the mark.
 */
export function withMark(text: string, mark: string | null): string {
  if (mark === null) return text;
  const record = parse(text);
  if (typeof record !== "object" || record === null || "revokedAt" in record) return text;
  return JSON.stringify({ ...record, ...(JSON.parse(mark) as object) });
}

/** Only keys are replaced by releases without compare-and-set in a way that undoes a revocation. */
const isMarked = (key: string): boolean => key.startsWith("keys:");

const markName = (tag: Tag, prefix: string, key: string): string =>
  nameOf(tag, prefix, `revoked:${key.slice("keys:".length)}`);

/** Returns text that is not JSON as it is, which no record is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
