import { hash } from "node:crypto";
import type { Redis } from "ioredis";

export type ScriptArgument = string | number | Uint8Array;

/** Lua that Redis runs in one step: sent by its name, and whole where Redis does not know it (any more). */
export type Script = (client: Redis, key: string, args: readonly ScriptArgument[]) => Promise<unknown>;

/**
 * @param text Gets `KEYS[1]`, which the names of all else that it touches begin with, and ARGV. Without `allow-oom` in its
 *   first line a full Redis refuses it before it has begun, so that it is done as a whole or not at all.
 */
export function createScript(text: string): Script {
  const sha = hash("sha1", text, "hex");
  return async (client, key, args) => {
    const words = args.map((arg) => (arg instanceof Uint8Array ? toBuffer(arg) : arg));
    try {
      return await client.evalsha(sha, 1, key, ...words);
    } catch (error) {
      if (!(error as Error).message.startsWith("NOSCRIPT")) throw error;
      return client.eval(text, 1, key, ...words);
    }
  };
}

/** Lua: `base`, what all names begin with, and `now`, epoch milliseconds of ARGV[1] or, where that is none, of Redis's clock. */
export const scriptTime = `local base = KEYS[1]
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('time')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

/** The client would send any other view as the list of its numbers. */
const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
