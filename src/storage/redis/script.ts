import { hash } from "node:crypto";
import type { RedisClient } from "./client.ts";

export type ScriptArgument = string | number | Uint8Array;

/** A Lua script that Redis runs in one step: sent by its hash, and in full if Redis does not know it (any more). */
export type Script = (
  client: RedisClient,
  names: readonly string[],
  args: readonly ScriptArgument[],
) => Promise<unknown>;

/**
 * @param text Receives ARGV and KEYS. It uses no other names than those in KEYS: a cluster looks at them to choose the server, and to wait while they
 * move to another one. Without `allow-oom` in its first line a full Redis refuses it before it begins, so that it runs as a whole or not at all.
 */
export function createScript(text: string): Script {
  const sha = hash("sha1", text, "hex");
  return async (client, names, args) => {
    const words = args.map((arg) => (arg instanceof Uint8Array ? toBuffer(arg) : arg));
    try {
      return await client.evalsha(sha, names.length, ...names, ...words);
    } catch (error) {
      if (!(error as Error).message.startsWith("NOSCRIPT")) throw error;
      return client.eval(text, names.length, ...names, ...words);
    }
  };
}

/** Lua: `now`, epoch milliseconds of ARGV[1] or, if that is empty, of Redis's clock. */
export const nowFrom = `local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('time')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

/** Lua: `announce`, which publishes a message, and returns the number of listeners on this server. */
export const announcing = `local function announce(channel, message)
  if string.sub(channel, 1, 1) == '+' then return redis.pcall('spublish', string.sub(channel, 2), message) end
  return redis.pcall('publish', channel, message)
end
`;

/** Returns a channel as `announce` takes it: a cluster tells all its servers of every message, unless the channel is of one slot. */
export const toAnnounced = ({ isCluster }: Pick<RedisClient, "isCluster">, channel: string): string =>
  isCluster ? `+${channel}` : channel;

/** The first line of a script that closes access or coordinates: it also runs where Redis is full. */
export const evenFull = "#!lua flags=allow-oom\n";

/** Acts that close access run in scripts that Redis runs even if it is full. */
export function createUrgency(): { urgently<T>(work: () => Promise<T>): Promise<T>; isUrgent(): boolean } {
  let acts = 0;
  return {
    async urgently(work) {
      acts += 1;
      try {
        return await work();
      } finally {
        acts -= 1;
      }
    },
    isUrgent: () => acts > 0,
  };
}

/** The client would send any other view as a list of numbers. */
const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
