import { type Network, parseNetwork } from "./network.ts";
import type { Address } from "./parse.ts";

/** Lengths that a NAT64 prefix may have, in bits (RFC 6052 §2.2). */
const lengths = new Set([32, 40, 48, 56, 64, 96]);

/** Whether the text is a NAT64 prefix: a network of IPv6 of one of the six lengths. */
export function isNat64Prefix(text: string): boolean {
  try {
    const { address, prefix } = parseNetwork(text);
    return address.version === 6 && lengths.has(prefix);
  } catch {
    return false;
  }
}

/**
 * The address of IPv4 that a gateway translates an address below a NAT64 prefix to (RFC 6052 §2.2); undefined where the
 * address is not below it.
 */
export function embeddedIpv4(
  { version, value }: Address,
  { prefix, first, last }: Network,
): Address | undefined {
  if (version !== 6 || value < first || value > last) return undefined;
  // Bits 64 to 71 are not part of it: RFC 6052 keeps them zero.
  const withoutGap = ((value >> 64n) << 56n) | (value & 0xff_ffff_ffff_ffffn);
  const end = prefix === 96 ? value : withoutGap >> BigInt(120 - (prefix + 32));
  return { version: 4, value: end & 0xffff_ffffn };
}
