import { type Network, parseNetwork } from "./network.ts";
import type { Address } from "./parse.ts";

/** Returns the purpose of a network: that of the block that contains all of it, "several" if it contains a block, otherwise "global". */
export function purposeOfNetwork({ address: { version }, first, last }: Network): string {
  const touched = blocks().filter(
    ([, block]) => block.address.version === version && block.first <= last && first <= block.last,
  );
  const whole = touched.find(([, block]) => block.first <= first && last <= block.last);
  return whole?.[0] ?? (touched.length === 0 ? "global" : "several");
}

/**
 * Returns the purpose of an address by the special-purpose registries (RFC 6890) and RFC 4291; "global" if
 * they do not list it.
 */
export function purposeOf({ version, value }: Address): string {
  for (const [name, { address, first, last }] of blocks()) {
    if (address.version === version && value >= first && value <= last) return name;
  }
  return "global";
}

/** Returns the class of an IPv4 address before RFC 1519, which exams and old tools still use. */
export function classOf(value: bigint): "A" | "B" | "C" | "D" | "E" {
  const top = Number(value >> 24n);
  if (top < 128) return "A";
  if (top < 192) return "B";
  if (top < 224) return "C";
  return top < 240 ? "D" : "E";
}

let known: [string, Network][] | undefined;
const blocks = (): [string, Network][] =>
  (known ??= registry.map(([name, block]) => [name, parseNetwork(block)]));

/** Narrower blocks precede wider ones. */
const registry: readonly (readonly [string, string])[] = [
  ["broadcast", "255.255.255.255/32"],
  ["this network", "0.0.0.0/8"],
  ["private", "10.0.0.0/8"],
  ["shared address space", "100.64.0.0/10"],
  ["loopback", "127.0.0.0/8"],
  ["link-local", "169.254.0.0/16"],
  ["private", "172.16.0.0/12"],
  ["protocol assignments", "192.0.0.0/24"],
  ["documentation", "192.0.2.0/24"],
  ["private", "192.168.0.0/16"],
  ["benchmarking", "198.18.0.0/15"],
  ["documentation", "198.51.100.0/24"],
  ["documentation", "203.0.113.0/24"],
  ["multicast", "224.0.0.0/4"],
  ["reserved", "240.0.0.0/4"],
  ["unspecified", "::/128"],
  ["loopback", "::1/128"],
  ["IPv4-mapped", "::ffff:0:0/96"],
  ["IPv4-IPv6 translation", "64:ff9b::/96"],
  ["IPv4-IPv6 translation", "64:ff9b:1::/48"],
  ["discard-only", "100::/64"],
  ["Teredo", "2001::/32"],
  ["benchmarking", "2001:2::/48"],
  ["documentation", "2001:db8::/32"],
  ["protocol assignments", "2001::/23"],
  ["6to4", "2002::/16"],
  ["documentation", "3fff::/20"],
  ["unique local", "fc00::/7"],
  ["link-local", "fe80::/10"],
  ["multicast", "ff00::/8"],
];
