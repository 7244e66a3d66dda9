import type { Address } from "./parse.ts";

/** Formats an address: dotted decimals, or RFC 5952. */
export function formatAddress({ version, value }: Address): string {
  if (version === 4) return toDotted(value);
  const groups = toGroups(value);
  // RFC 5952 §5: an IPv4-mapped address shows the IPv4 address.
  if (value >> 32n === 0xffffn) return `::ffff:${toDotted(value & 0xffffffffn)}`;
  const { from, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  // §4.2.2: a single group of zeros is not shortened.
  if (length < 2) return hex.join(":");
  return `${hex.slice(0, from).join(":")}::${hex.slice(from + length).join(":")}`;
}

/** Returns the name of the reverse zone of a network: the octets or nibbles that its prefix covers. */
export function reverseZone({ version, value }: Address, prefix: number): string {
  const step = version === 4 ? 8 : 4;
  const digits = version === 4 ? toDotted(value).split(".") : [...value.toString(16).padStart(32, "0")];
  const named = digits.slice(0, Math.floor(prefix / step)).toReversed();
  return [...named, version === 4 ? "in-addr.arpa" : "ip6.arpa"].join(".");
}

function toDotted(value: bigint): string {
  const bits = Number(value);
  return `${bits >>> 24}.${(bits >>> 16) & 0xff}.${(bits >>> 8) & 0xff}.${bits & 0xff}`;
}

/** Splits an address through 32-bit numbers, because arithmetic on large integers is slow. */
const toGroups = (value: bigint): number[] =>
  [96n, 64n, 32n, 0n].flatMap((shift) => {
    const bits = Number((value >> shift) & 0xffffffffn);
    return [bits >>> 16, bits & 0xffff];
  });

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
