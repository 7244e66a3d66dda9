import type { Network } from "./network.ts";
import type { Address } from "./parse.ts";

/**
 * Returns a function that lists the networks that contain an address, the narrowest first: a binary search,
 * plus one step per network found.
 */
export function createMatcher(networks: readonly Network[]): (address: Address) => number[] {
  const tables = { 4: createTable(networks, 4), 6: createTable(networks, 6) };
  return ({ version, value }) =>
    // 10.0.0.0/8 covers ::ffff:10.0.0.1 too: it is the same host on a dual-stack socket.
    version === 6 && value >> 32n === 0xffffn
      ? [...tables[6](value), ...tables[4](value & 0xffffffffn)]
      : tables[version](value);
}

/** A network and the one around it. Networks cannot overlap in any other way. */
interface Nested extends Network {
  index: number;
  around: Nested | undefined;
}

/** Cuts the address space into pieces with the same narrowest network, if any. */
function createTable(networks: readonly Network[], version: 4 | 6): (value: bigint) => number[] {
  const starts: bigint[] = [];
  const narrowest: (Nested | undefined)[] = [];
  const cut = (start: bigint, network: Nested | undefined): void => {
    starts.push(start);
    narrowest.push(network);
  };
  let open: Nested | undefined;
  const closeUpTo = (value: bigint | undefined): void => {
    for (; open !== undefined && (value === undefined || open.last < value); open = open.around)
      cut(open.last + 1n, open.around);
  };
  for (const network of sortNetworks(networks, version)) {
    closeUpTo(network.first);
    // The first of equal networks wins.
    if (open?.first === network.first && open.prefix === network.prefix) continue;
    open = { ...network, around: open };
    cut(network.first, open);
  }
  closeUpTo(undefined);

  return (value) => {
    let from = 0;
    let to = starts.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((starts[middle] as bigint) <= value) from = middle + 1;
      else to = middle;
    }
    const found: number[] = [];
    for (let network = narrowest[from - 1]; network !== undefined; network = network.around)
      found.push(network.index);
    return found;
  };
}

/** Sorts by first address, the wider before the narrower; equal networks keep their order. */
const sortNetworks = (networks: readonly Network[], version: 4 | 6): (Network & { index: number })[] =>
  networks
    .map((network, index) => ({ ...network, index }))
    .filter(({ address }) => address.version === version)
    .toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : a.prefix - b.prefix));
