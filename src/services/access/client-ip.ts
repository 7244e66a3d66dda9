import { BlockList, isIP } from "node:net";
import { trimOws, splitHeader, unquoteHeader } from "../../lib/header-list.ts";
import { formatAddress } from "../../lib/ip/format.ts";
import { parseAddress } from "../../lib/ip/parse.ts";

/**
 * Returns the client address. `peer` is the socket's address, undefined on a Unix socket; `header` is the value of the
 * proxy header, repeated lines joined with commas.
 */
export type ClientIp = (peer: string | undefined, header: string | undefined) => string;

export interface ClientIpOptions {
  /** Addresses and CIDRs, validated by the configuration; `unix` trusts the peer of a Unix socket. */
  trustedProxies: readonly string[];
  /** The one header to trust: `x-forwarded-for` or similar, or `forwarded` (RFC 7239). */
  proxyHeader: string;
}

const maxHops = 32;
const memoryCapacity = 10_000;
/** Longest cached key, in characters; a caller can send a header a thousand times as long. */
const memorableLength = 256;

/**
 * Finds the client behind proxies: the socket's peer or, if that is a trusted proxy, the rightmost untrusted hop. A
 * client can forge everything to the left of that hop, including the leftmost entry, which many libraries take.
 */
export function createClientIp({ trustedProxies, proxyHeader }: ClientIpOptions): ClientIp {
  const isTrusted = createTrust(trustedProxies);
  const hopsOf = proxyHeader.toLowerCase() === "forwarded" ? readForwarded : readList;
  const trustsUnix = trustedProxies.includes("unix");

  const walk = remember((peer: string, header: string) => {
    let client = peer;
    for (const hop of hopsOf(header).slice(-maxHops).toReversed()) {
      const address = toAddress(hop);
      // `unknown`, an obfuscated name or junk: hops beyond it cannot be trusted.
      if (address === undefined) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client;
  });

  return (peer, header) => {
    if (peer === undefined) return trustsUnix && header !== undefined ? walk("unix", header) : "unix";
    const address = toAddress(peer) ?? peer;
    return header !== undefined && isTrusted(address) ? walk(address, header) : address;
  };
}

/**
 * Returns the bucket of an anonymous caller, in hex: the whole IPv4 address, or the /64 of an IPv6 address. A
 * subscriber has a whole /64, and would otherwise have a quota for each of its 2⁶⁴ addresses.
 */
export const bucketOf: (ip: string) => string = remember((ip: string) => {
  const address = toAddress(ip);
  if (address === undefined) return Buffer.from(ip.slice(0, 16)).toString("hex") || "00";
  const { version, value } = parseAddress(address);
  return version === 4 ? hex(value, 8) : hex(value >> 64n, 16);
});

/** Returns a test whether the peer of a connection is a trusted proxy. */
export function createProxyTest(entries: readonly string[]): (peer: string) => boolean {
  const isTrusted = createTrust(entries);
  return (peer) => isTrusted(toAddress(peer) ?? peer);
}

function createTrust(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    if (entry === "unix") continue;
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address);
    const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number.parseInt(prefix, 10);
    list.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  }
  return remember((address: string) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
  });
}

/**
 * Returns the one spelling of an address (RFC 5952): without port, brackets and zone, an IPv4-mapped IPv6 address as IPv4.
 * A port may be an obfuscated one (RFC 7239 §6).
 */
function toAddress(text: string): string | undefined {
  let host = trimOws(text);
  const bracketed = /^\[([^\]]*)\](?::[\w.-]+)?$/.exec(host);
  if (bracketed) host = bracketed[1] ?? "";
  else if (/^[\d.]+:[\w.-]+$/.test(host)) host = host.slice(0, host.indexOf(":"));
  const zone = host.indexOf("%");
  if (zone !== -1) host = host.slice(0, zone);
  const family = isIP(host);
  if (family === 0) return undefined;
  if (family === 4) return host;
  const { value } = parseAddress(host);
  const isMapped = value >> 32n === 0xffffn;
  return formatAddress(isMapped ? { version: 4, value: value & 0xffffffffn } : { version: 6, value });
}

const hex = (value: bigint, digits: number): string => value.toString(16).padStart(digits, "0");

const readList = (header: string): string[] => header.split(",");

/** Caches results, because the same few addresses recur; a flood of new ones only clears the cache. */
function remember<A extends string[], R>(work: (...key: A) => R): (...key: A) => R {
  const memory = new Map<string, R>();
  return (...key) => {
    const text = key.length === 1 ? (key[0] as string) : key.join("|");
    if (text.length > memorableLength) return work(...key);
    const known = memory.get(text);
    if (known !== undefined) return known;
    if (memory.size >= memoryCapacity) memory.clear();
    const result = work(...key);
    memory.set(text, result);
    return result;
  };
}

/**
 * Returns the `for` of each element of a Forwarded field, whose lines are joined with commas (RFC 7239 §4). It is "", an
 * unknown hop, for an element without one, or that repeats a parameter or breaks the grammar. The list is empty if a
 * quotation mark is in a wrong place, because then it is unclear where elements end. Proxies quote what callers choose:
 * `for=192.0.2.60;host="a,for=198.51.100.66"` is one hop.
 */
function readForwarded(field: string): string[] {
  const elements = splitHeader(field, ",").map(readElement);
  return elements.includes(undefined) ? [] : elements.map((hop) => hop ?? "");
}

/** Returns undefined for a quotation mark in a wrong place. */
function readElement(element: string): string | undefined {
  const values = new Map<string, string>();
  let isValid = true;
  for (const pair of splitHeader(element, ";")) {
    if (pair === "") continue;
    const [, name = "", text = ""] = form.exec(pair) ?? [];
    // Several proxies omit the quotation marks that a port and an IPv6 address need.
    const value = address.test(text) ? text : unquoteHeader(text);
    if (value === undefined && pair.includes('"')) return undefined;
    const key = name.toLowerCase();
    isValid &&= value !== undefined && !values.has(key);
    values.set(key, value ?? "");
  }
  return isValid ? (values.get("for") ?? "") : "";
}

const form = /^([!#$%&'*+.^_`|~\w-]+)=(.+)$/s;
const address = /^[\w.:[\]-]+$/;
