import type { Redis } from "ioredis";
import type { Stored, Swapped, Texts } from "../texts.ts";
import type { Guard } from "./guard.ts";
import { leaseName } from "./hold.ts";
import type { Marker } from "./marker.ts";
import { createScript, evenFull } from "./script.ts";

export interface RedisTextsOptions {
  client: Redis;
  guard: Guard;
  prefix: string;
  marker: Marker;
  /** Longest wait for an answer. */
  waitMs: number;
  /** Whether to write although Redis is full. */
  isUrgent(): boolean;
}

/**
 * Replaces one record. KEYS are the record, its mark (itself, if it has none) and the lease of its account; ARGV is the text to replace (`-` for none,
 * `*` for any), the new text (`-` for none), the mark (`-` for none), and the token and the end of the lease (`-` for none).
 *
 * The end by the clock of Redis alone keeps a holder that was stopped from writing: nobody else is given the lease before
 * it. The token also does so if Redis has lost the lease in a failover. Where a record and a lease lie on different servers
 * the script cannot see the token, and the end has to suffice.
 */
const script = `if ARGV[4] ~= '-' then
  local time = redis.call('time')
  if time[1] * 1000 + math.floor(time[2] / 1000) >= tonumber(ARGV[5]) then return 'late' end
  if KEYS[3] and redis.call('hget', KEYS[3], 'token') ~= ARGV[4] then return 'late' end
end
if ARGV[1] ~= '*' and (redis.call('get', KEYS[1]) or '-') ~= ARGV[1] then return 'changed' end
if ARGV[2] == '-' then redis.call('del', KEYS[1]) else redis.call('set', KEYS[1], ARGV[2]) end
if ARGV[3] ~= '-' then redis.call('set', KEYS[2], ARGV[3]) end
return 'done'
`;

/** Records in Redis, which any number of processes replace. Names are those of unstorage. */
export function createRedisTexts(options: RedisTextsOptions): Texts {
  const { client, guard, prefix, marker, waitMs, isUrgent } = options;
  const swap = createScript(script);
  const swapWhereFull = createScript(`${evenFull}${script}`);

  return {
    async read(key): Promise<Stored> {
      const [text, mark] = await guard.run("read", waitMs, () => readBoth(client, prefix, key));
      if (text === null) await marker.check(waitMs);
      return { text, value: text === null ? undefined : parse(withMark(text, mark)) };
    },
    async swap(key, { before, after, lease, mark }) {
      const run = isUrgent() ? swapWhereFull : swap;
      const names = [prefix + key, isMarked(key) ? markName(prefix, key) : prefix + key];
      if (lease !== undefined) names.push(leaseName(prefix, lease.account));
      const text = before === undefined ? "*" : (before ?? "-");
      const words = [text, after ?? "-", mark ?? "-", lease?.token ?? "-", lease?.until ?? "-"];
      return (await guard.run("write", waitMs, () => run(client, names, words))) as Swapped;
    },
  };
}

/** Reads a record and, if it is a key, its mark, in one packet. */
export const readBoth = (
  client: Redis,
  prefix: string,
  key: string,
): Promise<[text: string | null, mark: string | null]> =>
  Promise.all([client.get(prefix + key), isMarked(key) ? client.get(markName(prefix, key)) : null]);

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

const markName = (prefix: string, key: string): string => `${prefix}revoked:${key.slice("keys:".length)}`;

/** Returns text that is not JSON as it is, which no record is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
