import type { Network } from "./network.ts";
import { type Address, widthOf } from "./parse.ts";

/** Tells in at most 129 look-ups which of many networks hold an address, the narrowest first. */
export function createMatcher(networks: readonly Network[]): (address: Address) => number[] {
  /** By version and prefix length, then by first address: the place in `networks`. */
  const tables = { 4: new Map<number, Map<bigint, number>>(), 6: new Map<number, Map<bigint, number>>() };
  for (const [index, { address, prefix, first }] of networks.entries()) {
    const table = tables[address.version].get(prefix) ?? new Map<bigint, number>();
    tables[address.version].set(prefix, table);
    if (!table.has(first)) table.set(first, index);
  }
  const lengths = { 4: descending(tables[4]), 6: descending(tables[6]) };
  const find = ({ version, value }: Address): number[] =>
    lengths[version].flatMap((prefix) => {
      const shift = BigInt(widthOf(version) - prefix);
      return tables[version].get(prefix)?.get((value >> shift) << shift) ?? [];
    });
  return (address) =>
    // A list that names 10.0.0.0/8 means ::ffff:10.0.0.1 as well: it is the same host on a dual-stack socket.
    address.version === 6 && address.value >> 32n === 0xffffn
      ? [...find(address), ...find({ version: 4, value: address.value & 0xffffffffn })]
      : find(address);
}

const descending = (tables: Map<number, unknown>): number[] => [...tables.keys()].toSorted((a, b) => b - a);
