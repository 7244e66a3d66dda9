import { parseAddress } from "./parse.ts";

/** Bits that private networks have at least, such as 10.0.0.0/8 and fc00::/7. */
const privateBits = { 4: 8, 6: 7 } as const;
/** ::ffff:0:0/96, the addresses of IPv4 in IPv6 (RFC 4291 §2.5.5.2). */
const mapped = { value: 0xffff_0000_0000n, bits: 96 };

/**
 * Reports whether a network is larger than any private one. A network of IPv6 also has the addresses of IPv4 that are mapped
 * into it: `::/80` has all of them.
 * @param entry A network as `isNetwork` accepts it, or another word, which is none.
 */
export function isMuchOfInternet(entry: string): boolean {
  const [address = "", prefix] = entry.split("/");
  if (prefix === undefined) return false;
  const { version, value } = parseAddress(address);
  const bits = Number(prefix);
  if (bits < privateBits[version]) return true;
  if (version === 4 || bits >= mapped.bits + privateBits[4]) return false;
  const shift = BigInt(128 - Math.min(bits, mapped.bits));
  return value >> shift === mapped.value >> shift;
}
