import type { Heaped } from "./heap.ts";
import type { Receiver, Turns } from "./turns.ts";

/** A delivery that can be claimed. */
interface Leasable<Item extends Heaped> extends Heaped {
  readonly receiver: Receiver<Item>;
  leaseEnd: number;
  /** Set while a change of the delivery is being written: its lease does not end meanwhile. */
  settling: boolean;
}

/** The deliveries that are claimed or reserved, until the end of their leases. */
export interface Leases<Item extends Heaped> {
  has(item: Item): boolean;
  of(receiver: Receiver<Item>): Item[];
  give(item: Item, end: number): void;
  /** Ends a lease without making the delivery due. */
  giveUp(item: Item): void;
  /** Ends a lease and makes the delivery due. */
  back(item: Item, at: number): void;
  /** Lets `expire` look at a lease that was settling. */
  heed(item: Item): void;
  /** Makes the deliveries due whose lease has ended. */
  expire(at: number): void;
  /** When the next delivery may be claimed again; Infinity if there is none. */
  nextAt(): number;
  /** Applies a clock that was set back by `ms`; the ends of the leases are shifted by the caller. */
  shift(ms: number): void;
}

export function createLeases<Item extends Leasable<Item>>(turns: Turns<Item>): Leases<Item> {
  const leased = new Set<Item>();
  /** No lease ends before this time. */
  let noneBefore = Infinity;

  function giveUp(item: Item): void {
    if (leased.delete(item)) item.receiver.inFlight--;
    item.leaseEnd = 0;
    item.settling = false;
  }

  function back(item: Item, at: number): void {
    giveUp(item);
    item.receiver.due.remove(item);
    item.receiver.due.push(item);
    turns.refile(item.receiver, at);
  }

  function heed({ leaseEnd }: Item): void {
    noneBefore = Math.min(noneBefore, leaseEnd);
  }

  return {
    has: (item) => leased.has(item),
    of: (receiver) => [...leased].filter((item) => item.receiver === receiver),
    give(item, end) {
      item.receiver.due.remove(item);
      item.receiver.inFlight++;
      item.leaseEnd = end;
      leased.add(item);
      heed(item);
    },
    giveUp,
    back,
    heed,
    expire(at) {
      if (at < noneBefore) return;
      noneBefore = Infinity;
      for (const item of leased) {
        if (item.settling) continue;
        if (item.leaseEnd > at) heed(item);
        else back(item, at);
      }
    },
    nextAt() {
      let next = Infinity;
      for (const { receiver, leaseEnd, settling } of leased)
        if (!settling) next = Math.min(next, turns.gateAfter(receiver, leaseEnd));
      return next;
    },
    shift: (ms) => void (noneBefore -= ms),
  };
}
