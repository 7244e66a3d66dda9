import type { Address } from "./parse.ts";

/** The text of an address: dotted decimals, or RFC 5952. */
export function formatAddress({ version, value }: Address): string {
  if (version === 4) return toDotted(value);
  const groups = toGroups(value);
  // RFC 5952 §5: an IPv4-mapped address shows the IPv4 address.
  if (value >> 32n === 0xffffn) return `::ffff:${toDotted(value & 0xffffffffn)}`;
  const { from, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  // §4.2.2: a single group of zeros is not left out.
  if (length < 2) return hex.join(":");
  return `${hex.slice(0, from).join(":")}::${hex.slice(from + length).join(":")}`;
}

/** The name under which the reverse zone of a network is delegated: the octets or nibbles that its prefix fills. */
export function reverseZone({ version, value }: Address, prefix: number): string {
  const step = version === 4 ? 8 : 4;
  const digits = version === 4 ? toDotted(value).split(".") : [...value.toString(16).padStart(32, "0")];
  const named = digits.slice(0, Math.floor(prefix / step)).toReversed();
  return [...named, version === 4 ? "in-addr.arpa" : "ip6.arpa"].join(".");
}

const toDotted = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join(".");

const toGroups = (value: bigint): number[] =>
  Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - 16 * index)) & 0xffffn));

/** §4.2.3: the longest run, and the first of several. */
function longestZeros(groups: readonly number[]): { from: number; length: number } {
  let best = { from: 0, length: 0 };
  let from = 0;
  for (const [index, group] of [...groups, 1].entries()) {
    if (group === 0) continue;
    if (index - from > best.length) best = { from, length: index - from };
    from = index + 1;
  }
  return best;
}
