import type { RedisOptions } from "ioredis";
import { StoreError } from "../errors.ts";

const pattern =
  /^(redis|rediss)(\+sentinel|\+cluster)?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]+)((?:\/[^/?#]*)*)(?:\?([^#]*))?$/;

/** The accepted forms of `storage.url`, for a person who mistyped it. */
const expectedUrl =
  "redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], rediss:// for TLS, redis+sentinel://[USER:PASSWORD@]HOST:PORT,HOST:PORT/NAME[/DATABASE], or redis+cluster://[USER:PASSWORD@]HOST:PORT,HOST:PORT";

/** The connection options in a URL; TLS files as paths. */
export interface RedisTarget {
  options: RedisOptions;
  /** Some servers of a cluster, which know the others. */
  cluster?: readonly { host: string; port: number }[];
  /** Paths of PEM files. `ca` replaces the authorities of the system. */
  tls?: { ca?: string; cert?: string; key?: string };
  /** `host:port/database`, without user and password: for messages. */
  name: string;
}

/** @throws StoreError `open`, which never repeats a possible password. */
export function parseRedisUrl(url: string): RedisTarget {
  const [, scheme, mode, user, password, hosts = "", path = "", query = ""] = pattern.exec(url) ?? [];
  if (scheme === undefined) throw wrong();
  const sentinel = mode === "+sentinel";
  const cluster = mode === "+cluster";
  const segments = path.split("/").slice(1).map(decode);
  const service = sentinel ? segments.shift() : undefined;
  if (service === "" || (sentinel && service === undefined)) {
    throw wrong("the name that the sentinels watch is missing after the hosts");
  }
  const [database = "", ...rest] = segments;
  if (rest.length > 0 || !/^\d{0,5}$/.test(database)) throw wrong("the database is not a number");
  if (cluster && Number(database) !== 0) throw wrong("a cluster has only database 0");
  const addresses = hosts.split(",").map((host) => toAddress(host, sentinel ? 26_379 : 6379));
  const [first] = addresses;
  if (first === undefined || (mode === undefined && addresses.length > 1)) {
    throw wrong("only redis+sentinel:// and redis+cluster:// allow several hosts");
  }
  const db = Number(database);
  const { sentinelPassword, ...tls } = parseQuery(query, scheme === "rediss", cluster);
  return {
    options: {
      ...(service === undefined
        ? first
        : {
            sentinels: addresses,
            name: service,
            ...(sentinelPassword !== undefined && { sentinelPassword }),
          }),
      ...(user !== undefined && user !== "" && { username: decode(user) }),
      ...(password !== undefined && { password: decode(password) }),
      db,
    },
    ...(cluster && { cluster: addresses }),
    ...(scheme === "rediss" && { tls }),
    name: cluster
      ? `the cluster of ${hosts}`
      : `${service === undefined ? "" : `${service} of `}${hosts}/${db}`,
  };
}

function toAddress(text: string, defaultPort: number): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = port === undefined ? defaultPort : Number(port);
  if (host === undefined || number < 1 || number > 65_535) throw wrong("a host or a port is invalid");
  return { host, port: number };
}

type Query = { ca?: string; cert?: string; key?: string; sentinelPassword?: string };

function parseQuery(text: string, secure: boolean, cluster: boolean): Query {
  const found: Query = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (
      (!cluster && name === "sentinelPassword") ||
      (secure && (name === "ca" || name === "cert" || name === "key"))
    ) {
      found[name] = value;
    } else
      throw wrong(
        `the parameter ${JSON.stringify(name.slice(0, 32))} is not known; rediss:// takes ca, cert and key`,
      );
  }
  if ((found.cert === undefined) !== (found.key === undefined)) throw wrong("cert and key belong together");
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong("a percent sign must be written as %25");
  }
}

const wrong = (why = "it is not a Redis URL"): StoreError =>
  new StoreError("open", `storage.url cannot be used: ${why}. It takes ${expectedUrl}.`);
