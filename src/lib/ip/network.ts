import { DocumentFault } from "../fault.ts";
import { onLine } from "../lines.ts";
import { type Address, parseAddress, widthOf } from "./parse.ts";

export interface Network {
  /** The address as written, including its host bits. */
  address: Address;
  prefix: number;
  /** First and last address. */
  first: bigint;
  last: bigint;
}

/**
 * Parses `address/prefix`, `address/netmask`, `address netmask`, `address/wildcard` (IPv4) or an address alone, which is a
 * network of one.
 * @throws DocumentFault with the index of the fault in `text`.
 */
export function parseNetwork(text: string): Network {
  const cut = text.search(/[/\s]/);
  const address = parseAddress(cut < 0 ? text : text.slice(0, cut));
  if (address.zone !== undefined && cut >= 0)
    throw new DocumentFault("A network has no zone; remove % and the text after it.", {
      index: text.indexOf("%"),
    });
  const length = cut < 0 ? widthOf(address.version) : parsePrefix(text, cut, address.version);
  return toNetwork(address, length);
}

export function toNetwork(address: Address, prefix: number): Network {
  const host = hostMask(address.version, prefix);
  const first = address.value & ~host;
  return { address, prefix, first, last: first | host };
}

/** Ones in the host bits: the wildcard mask. */
export const hostMask = (version: 4 | 6, prefix: number): bigint =>
  (1n << BigInt(widthOf(version) - prefix)) - 1n;

function parsePrefix(text: string, cut: number, version: 4 | 6): number {
  const rest = text[cut] === "/" ? text.slice(cut + 1) : text.slice(cut + 1).trimStart();
  const index = text.length - rest.length;
  if (version === 4 && rest.includes(".")) return parseMask(rest, index);
  if (text[cut] !== "/") throw new DocumentFault("Expected a / and the prefix length.", { index: cut });
  const width = widthOf(version);
  if (/^(?:0|[1-9]\d{0,2})$/.test(rest) && Number(rest) <= width) return Number(rest);
  throw new DocumentFault(`The prefix length of IPv${version} must be 0 to ${width}.`, { index });
}

function parseMask(text: string, index: number): number {
  const { version, value } = onLine({ text, index }, parseAddress);
  const wild = ~value & 0xffffffffn;
  // A wildcard mask, as routers write it, is zeros followed by ones; all zeros and all ones are netmasks.
  if (version === 4 && value !== 0n && wild !== 0n && (value & (value + 1n)) === 0n)
    return 32 - value.toString(2).length;
  // Ones followed by zeros: the complement plus one is a power of two.
  if (version !== 4 || (wild & (wild + 1n)) !== 0n)
    throw new DocumentFault("A netmask must be one bits followed by zero bits, such as 255.255.255.0.", {
      index,
    });
  return 32 - (wild === 0n ? 0 : wild.toString(2).length);
}
