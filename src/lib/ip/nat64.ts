import { type Network, parseNetwork } from "./network.ts";
import type { Address } from "./parse.ts";

/** Lengths allowed for a NAT64 prefix, in bits (RFC 6052 §2.2). */
const lengths = new Set([32, 40, 48, 56, 64, 96]);

/** Reports whether the text is a NAT64 prefix: an IPv6 network with one of the six lengths. */
export function isNat64Prefix(text: string): boolean {
  try {
    const { address, prefix } = parseNetwork(text);
    return address.version === 6 && lengths.has(prefix);
  } catch {
    return false;
  }
}

/**
 * Returns the IPv4 address that a gateway translates an address below a NAT64 prefix to (RFC 6052 §2.2), or
 * undefined if the address is not below it.
 */
export function embeddedIpv4(
  { version, value }: Address,
  { prefix, first, last }: Network,
): Address | undefined {
  if (version !== 6 || value < first || value > last) return undefined;
  // Skips bits 64 to 71, which RFC 6052 keeps zero.
  const withoutGap = ((value >> 64n) << 56n) | (value & 0xff_ffff_ffff_ffffn);
  const end = prefix === 96 ? value : withoutGap >> BigInt(120 - (prefix + 32));
  return { version: 4, value: end & 0xffff_ffffn };
}
