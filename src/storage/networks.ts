import type { Limited } from "./storage.ts";

// A provider often gives one customer a /56 or a /48 of IPv6: 256 or 65,536 networks of 64 bits, each with the limit of
// an address. The wider networks therefore have ceilings.

/** A /56 gets this many times the limit of an address, and a /48 its square, unless the configuration says otherwise. */
export const defaultIpv6Factor = 4;
/** From here on a /56 has the limits of all its networks of 64 bits, and no ceiling is ever reached. */
const withoutCeilings = 256;

const none: readonly string[] = [];

/** A counter with those of its wider networks, each with its own limit. */
export const withNetworks = (counter: Limited, factor: number): Limited[] => [
  counter,
  ...networksOf(counter.id, factor).map((id, index) => ({
    id,
    limit: counter.limit * factor ** (index + 1),
  })),
];

/**
 * Returns the counters of the /56 and the /48 of an IPv6 address, whose own ends in the 16 hex digits of its /64; none for
 * others. `factor` is `limits.ipv6Factor`.
 */
export function networksOf(id: string, factor: number): readonly string[] {
  const from = id.startsWith("ip:") ? 3 : 0;
  if (id.length - from !== 16 || factor >= withoutCeilings || id.includes(":", from)) return none;
  return [id.slice(0, -2), id.slice(0, -4)];
}

/** Returns the use of a network as if it were that of one address: as far from the limit as the network is from its own. */
export const asAddress = (used: number, limit: number, factor: number, level: number): number =>
  used - limit * (factor ** level - 1);

/** Reports whether an id is one of `networksOf`. */
export function isNetwork(id: string): boolean {
  const digits = id.length - (id.startsWith("ip:") ? 3 : 0);
  return digits === 14 || digits === 12;
}
