import { createAddressCounter } from "./address-counter.ts";
import { defaultIpv6Factor, networksOf } from "./networks.ts";
import type { Count, Counted, Counters, Limited } from "./storage.ts";
import { createWindowCounter } from "./window-counter.ts";
import type { Runtime } from "../runtime.ts";

/** The windows of this process, which the journal reads and restores. */
export interface LocalCounters extends Counters {
  consume(id: string, points: number, limit?: number, beside?: readonly Limited[]): Counted;
  restore(id: string, count: Count): void;
  ids(): Iterable<string>;
}

/** Length of the window of policy "hour". */
export const windowSeconds = 3_600;

// A caller with an IPv6 /32 has four billion /64 networks to call from.
const addressCapacity = 100_000;

/** `changed` is called with every id whose count changes. */
export function createCounters(
  runtime: Runtime,
  changed: (id: string) => void,
  ipv6Factor = defaultIpv6Factor,
): LocalCounters {
  const window = { seconds: windowSeconds, runtime };
  const accounts = createWindowCounter({ ...window, capacity: Infinity });
  const addresses = createAddressCounter({ ...window, capacity: addressCapacity, ipv6Factor });
  const of = (id: string) => (id.startsWith("ip:") ? addresses : accounts);

  const useOf = ({ id, limit }: Limited): Count | undefined =>
    id.startsWith("ip:") ? addresses.use(id, limit) : accounts.seen(id);

  /** Counts in all counters or in none: nothing else runs between the comparison and the counting. */
  function consumeAll(counters: readonly Limited[], points: number): Counted {
    const before = counters.map(useOf);
    const allowed = counters.every(({ limit }, n) => (before[n]?.used ?? 0) + points <= limit);
    const counts = allowed
      ? counters.map(({ id, limit }) => of(id).consume(id, points, limit))
      : before.map((count) => count ?? { used: 0, resetAt: runtime.now() });
    const [first, ...beside] = counts.map(({ used, resetAt }): Count => ({ used, resetAt }));
    return { allowed, ...(first as Count), beside };
  }

  return {
    consume(id, points, limit = Infinity, beside = []) {
      const count =
        beside.length === 0
          ? of(id).consume(id, points, limit)
          : consumeAll([{ id, limit }, ...beside], points);
      // A flood of refused calls writes nothing to the journal.
      if (!count.allowed) return count;
      for (const one of [id, ...networksOf(id, ipv6Factor), ...beside.map((other) => other.id)]) changed(one);
      return count;
    },
    async giveBack(id, points) {
      for (const one of [id, ...networksOf(id, ipv6Factor)]) {
        const known = of(one).seen(one);
        if (known === undefined) continue;
        of(one).restore(one, { ...known, used: Math.max(0, known.used - points) });
        changed(one);
      }
    },
    seen: (id) => of(id).seen(id),
    peek: async (id) => of(id).seen(id),
    async reset(id) {
      of(id).reset(id);
      changed(id);
    },
    async *windows() {
      for (const id of [...accounts.ids(), ...addresses.ids()]) {
        const count = of(id).seen(id);
        if (count !== undefined) yield [id, count];
      }
    },
    async put(id, count) {
      of(id).restore(id, count);
      changed(id);
    },
    restore: (id, count) => of(id).restore(id, count),
    *ids() {
      yield* accounts.ids();
      yield* addresses.ids();
    },
  };
}
