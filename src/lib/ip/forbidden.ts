import { parseNetwork } from "./network.ts";
import type { Address } from "./parse.ts";
import { purposeOf } from "./purpose.ts";

/**
 * Returns why a request to an address chosen by somebody else is forbidden: the purpose of the address, such
 * as "loopback". Undefined for an ordinary internet address; everything not known to be one is forbidden.
 */
export function whyForbidden(address: Address): string | undefined {
  const embedded = embeddedIn(address);
  if (embedded !== undefined) return firstReason(embedded);
  const purpose = purposeOf(address);
  if (purpose !== "global") return purpose;
  const { version, value } = address;
  const [reason] =
    others.find(
      ([, { address: named, first, last }]) => named.version === version && value >= first && value <= last,
    ) ?? [];
  return reason ?? firstReason(tunnelledTo(address));
}

/**
 * RFC 5214 §6.1: under any prefix, the end of an ISATAP address is the IPv4 address that its packets are sent
 * to.
 */
const tunnelledTo = ({ version, value }: Address): bigint[] =>
  version === 6 && ((value >> 32n) & 0xfdff_ffffn) === 0x5efen ? [value & 0xffffffffn] : [];

/** Returns the IPv4 addresses that packets to an IPv6 address end at, if it only encodes these. */
function embeddedIn({ version, value }: Address): bigint[] | undefined {
  if (version === 4) return undefined;
  const last = value & 0xffffffffn;
  // RFC 4291 §2.5.5.2: an IPv4-mapped address; the kernel uses IPv4 for it.
  if (value >> 32n === 0xffffn) return [last];
  // RFC 6052 §2.1: a gateway translates it.
  if (value >> 32n === 0x64_ff9b_0000_0000_0000_0000n) return [last];
  // RFC 3056 §2: 2002:, then the router of the site.
  if (value >> 112n === 0x2002n) return [(value >> 80n) & 0xffffffffn];
  // RFC 4380 §4: 2001:0:, then the server; the client is at the end with every bit inverted.
  if (value >> 96n === 0x2001_0000n) return [(value >> 64n) & 0xffffffffn, last ^ 0xffffffffn];
  return undefined;
}

function firstReason(values: readonly bigint[]): string | undefined {
  for (const value of values) {
    const reason = whyForbidden({ version: 4, value });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Blocks without a name in `purposeOf` that are not ordinary addresses either. */
const others = (
  [
    // RFC 7526: the anycast address of 6to4 relays, now deprecated.
    ["deprecated", "192.88.99.0/24"],
    // Azure: a public address that only the machine itself reaches, and that serves its secrets.
    ["cloud metadata", "168.63.129.16/32"],
    // RFC 3879: private addresses before `fc00::/7`.
    ["site-local", "fec0::/10"],
    // RFC 4291 §2.4: only 2000::/3 is assigned for global unicast. This includes IPv4-compatible addresses
    // (::127.0.0.1).
    ["reserved", "::/3"],
    ["reserved", "4000::/2"],
    ["reserved", "8000::/1"],
  ] as const
).map(([reason, block]) => [reason, parseNetwork(block)] as const);
