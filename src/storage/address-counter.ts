import { asAddress, defaultIpv6Factor, isNetwork, networksOf } from "./networks.ts";
import type { Count } from "./storage.ts";
import { createWindowCounter, type WindowCounter } from "./window-counter.ts";

/** Counts by address, and those of IPv6 also by /56 and /48: see networks.ts. */
export interface AddressCounter extends WindowCounter {
  /**
   * Counts the points in all networks of an address, unless the use of one would exceed its ceiling. `used` and `resetAt`
   * are those of the network with the least left, as if it were the address.
   */
  consume: WindowCounter["consume"];
  /** Returns what `consume` compares with the limit, without counting. */
  use(id: string, limit: number): Count | undefined;
}

/** Networks are fewer than addresses, and each has its requests from many of those. */
const networkShare = 0.5;

/** @param options Those of `createWindowCounter`, of which `capacity` is that of addresses. */
export function createAddressCounter({
  ipv6Factor = defaultIpv6Factor,
  ...options
}: Parameters<typeof createWindowCounter>[0] & { ipv6Factor?: number | undefined }): AddressCounter {
  const addresses = createWindowCounter(options);
  // Apart, so that many addresses elsewhere do not push a network out that has reached its ceiling.
  const networks = createWindowCounter({ ...options, capacity: options.capacity * networkShare });
  const of = (id: string): WindowCounter => (isNetwork(id) ? networks : addresses);

  function use(id: string, limit: number): Count | undefined {
    let least = addresses.seen(id);
    for (const [index, network] of networksOf(id, ipv6Factor).entries()) {
      const count = networks.seen(network);
      if (count === undefined) continue;
      const used = asAddress(count.used, limit, ipv6Factor, index + 1);
      if (used > (least?.used ?? 0)) least = { used, resetAt: count.resetAt };
    }
    return least;
  }

  return {
    use,
    consume(id, points, limit = Infinity) {
      const wider = networksOf(id, ipv6Factor);
      if (wider.length === 0) return addresses.consume(id, points, limit);
      const before = use(id, limit);
      const used = before?.used ?? 0;
      if (used + points > limit)
        return { allowed: false, used, resetAt: before?.resetAt ?? options.runtime.now() };
      const own = addresses.consume(id, points);
      for (const network of wider) networks.consume(network, points);
      return { ...own, ...use(id, limit) };
    },
    seen: (id) => of(id).seen(id),
    reset: (id) => of(id).reset(id),
    restore: (id, count) => of(id).restore(id, count),
    *ids() {
      yield* addresses.ids();
      yield* networks.ids();
    },
  };
}
