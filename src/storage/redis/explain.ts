import { StoreError, type StoreOperation } from "../errors.ts";
import { TimeoutError } from "./guard.ts";

const noDatabase = /DB index is out of range|invalid DB index/i;

export const isNoDatabase = (error: Error): boolean => noDatabase.test(error.message);

/** Errors that retrying does not cure: the operator has to act first. */
const lasting: readonly (readonly [RegExp, string])[] = [
  [
    /WRONGPASS|invalid (?:username-)?password/i,
    "refuses the password. Set the right one in storage.url (PENKNIFE_STORAGE_URL or PENKNIFE_STORAGE_URL_FILE).",
  ],
  [
    /NOAUTH/,
    "requires a password. Put it into storage.url (PENKNIFE_STORAGE_URL or PENKNIFE_STORAGE_URL_FILE).",
  ],
  [noDatabase, "has no database with that number. Choose a lower one in storage.url, or raise `databases`."],
  [
    /NOPERM/,
    "does not let this user run a required command. Give it access with ACL SETUSER (see docs/redis.md).",
  ],
  [/cluster support disabled/, "is not a cluster. Begin storage.url with redis:// or rediss://."],
  [
    /self-signed|unable to (?:verify|get)|certificate|wrong version number|altnames/i,
    "cannot be trusted over TLS. Give its authority in storage.url: rediss://…?ca=/path/to/ca.pem, or use redis:// if the server has no TLS.",
  ],
];

const passing: readonly (readonly [RegExp, string])[] = [
  [
    /^there is no connection|^Socket timeout|^Stream isn't writeable/,
    "does not answer. Is it running, and is the address right?",
  ],
  [/^OOM/, "is full (maxmemory). Raise maxmemory, or find what fills it."],
  [/^READONLY/, "is a read-only replica. Point storage.url at the primary, or at the sentinels."],
  [/^LOADING/, "is still loading its data."],
  [/^MISCONF/, "refuses to write because it cannot save to its disk. Check its disk and its log."],
  [
    /^CLUSTERDOWN|Failed to refresh slots cache/,
    "is not complete: too many of its servers are gone, or some slots have none. Look at CLUSTER INFO and CLUSTER NODES.",
  ],
  [/^TRYAGAIN/, "is moving these names to another server. It answers again when the slot has moved."],
  [/^BUSY/, "is busy with a script. If that lasts, find the script with SLOWLOG GET."],
  [
    /WRONGTYPE/,
    "has a value of another type under a name of penknife. Is the database shared? Choose another storage.prefix.",
  ],
  [/^Connection is closed|ECONNRESET|EPIPE/, "has closed the connection. Was it stopped or restarted?"],
  [/ECONNREFUSED/, "refuses the connection. Is it running, and is the address right?"],
  [/ENOTFOUND|EAI_AGAIN/, "cannot be found: its name does not resolve."],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, "cannot be reached over the network."],
  [
    /sentinels are unreachable/i,
    "cannot be found: no sentinel gives its address. Check the addresses of the sentinels, TLS, and the name of the primary.",
  ],
];

/** Explains an error of Redis to the operator; `name` is the server's address. */
export function explainRedis(name: string, operation: StoreOperation, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof TimeoutError) {
    return new StoreError(operation, `Redis (${name}) does not answer in time.`, cause);
  }
  const [, words] = [...lasting, ...passing].find(([pattern]) => pattern.test(message)) ?? [];
  return new StoreError(operation, `Redis (${name}) ${words ?? `failed: ${firstLine(message)}`}`, cause);
}

export const isLasting = (cause: unknown): boolean =>
  cause instanceof Error && lasting.some(([pattern]) => pattern.test(cause.message));

const firstLine = (text: string): string => text.split("\n", 1)[0]?.slice(0, 200) ?? "";
