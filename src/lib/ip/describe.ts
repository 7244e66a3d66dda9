import { formatAddress, reverseZone } from "./format.ts";
import { hostMask, type Network } from "./network.ts";
import { type Address, widthOf } from "./parse.ts";
import { classOf, purposeOfNetwork } from "./purpose.ts";

/**
 * Derives every property of an address with a prefix. Counts are text: 2^128 exceeds JavaScript's numbers.
 */
export function describeNetwork(network: Network): Record<string, unknown> {
  const { address, prefix, first, last } = network;
  const { version } = address;
  const toText = (value: bigint): string => formatAddress({ version, value });
  const usable = usableRange(network);
  const wildcard = hostMask(version, prefix);
  const broadcast = version === 4 && prefix < 31 ? toText(last) : null;
  return {
    version,
    cidr: `${toText(first)}/${prefix}`,
    address: formatAddress(address),
    integer: String(address.value),
    ...(address.zone !== undefined && { zone: address.zone }),
    prefix,
    netmask: maskText(version, hostMask(version, 0) ^ wildcard),
    wildcard: maskText(version, wildcard),
    network: toText(first),
    broadcast,
    first: toText(first),
    last: toText(last),
    firstUsable: toText(usable.first),
    lastUsable: toText(usable.last),
    addresses: String(last - first + 1n),
    usable: String(usable.last - usable.first + 1n),
    ...(version === 4 && { class: classOf(address.value) }),
    purpose: purposeOfNetwork(network),
    reverseZone: reverseZone({ version, value: first }, prefix),
  };
}

/**
 * The addresses for hosts. IPv4 reserves the network and the broadcast address, except in a point-to-point
 * link of two (RFC 3021) and a single host. IPv6 has no broadcast; its first address is any router of the
 * subnet (RFC 4291 §2.6.1), except in a link of two (RFC 6164) and a single host.
 */
function usableRange({ address: { version }, prefix, first, last }: Network): {
  first: bigint;
  last: bigint;
} {
  if (prefix >= widthOf(version) - 1) return { first, last };
  return { first: first + 1n, last: version === 4 ? last - 1n : last };
}

/** A mask is bits, not an address: `::ffff:0.0.0.0` would be misleading. */
function maskText(version: Address["version"], value: bigint): string {
  if (version === 4) return formatAddress({ version, value });
  return value >> 32n === 0xffffn
    ? `::ffff:${((value >> 16n) & 0xffffn).toString(16)}:${(value & 0xffffn).toString(16)}`
    : formatAddress({ version, value });
}
