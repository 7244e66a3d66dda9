import { formatAddress } from "./format.ts";

/**
 * Returns the address that a whole number stands for, decimal or in hex, as text; another text as it is. A number of 32 bits is IPv4, a longer
 * one IPv6. A number below 1.0.0.0 is rather a mistake.
 */
export function fromInteger(text: string): string {
  if (!/^(?:\d{1,39}|0x[\da-f]{1,32})$/i.test(text)) return text;
  const value = BigInt(text);
  if (value < 1n << 24n || value >= 1n << 128n) return text;
  return formatAddress({ version: value >> 32n === 0n ? 4 : 6, value });
}
