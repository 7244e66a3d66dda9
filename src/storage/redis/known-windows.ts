import { withNetworks } from "../networks.ts";
import type { Limited } from "../storage.ts";

/** What this node knows of a window that Redis counts. */
export interface KnownWindow {
  /** The use that Redis last reported. */
  used: number;
  /** Epoch milliseconds. */
  resetAt: number;
  /** When Redis reported it; see `isKnown`. */
  seenAt: number;
  /** Points let through without Redis, minus points that Redis counted for refused requests: to be settled. */
  alone: number;
  /** During an outage: the use known when it began, and what this node has let through since. */
  outage: { used: number; spent: number } | undefined;
}

export interface KnownWindows {
  live(id: string, time: number): KnownWindow | undefined;
  /** Returns a window, and makes it if it is unknown. */
  open(id: string, time: number): KnownWindow;
  /**
   * Takes points of a node's share of what was left when the outage began, in all counters and all networks of an address. Returns false if
   * a share is used up.
   */
  takeShare(counters: readonly Limited[], points: number, now: { time: number; nodes: number }): boolean;
  /** Records the use that Redis reported; `msLeft` 0 is a window that has not begun. Returns its end. */
  record(id: string, time: number, used: number, msLeft: number, settling: boolean): number;
  forget(id: string): void;
  /** The ids of windows with something to settle. */
  owing(): Iterable<string>;
}

const never = -Infinity;
const capacity = 200_000;

/** Reports whether Redis has ever reported this window. */
export const isKnown = ({ seenAt }: KnownWindow): boolean => seenAt !== never;

/** @param length Milliseconds of a window. */
export function createKnownWindows(length: number, ipv6Factor: number): KnownWindows {
  const windows = new Map<string, KnownWindow>();

  function live(id: string, time: number): KnownWindow | undefined {
    const window = windows.get(id);
    return window === undefined || window.resetAt <= time ? undefined : window;
  }

  function open(id: string, time: number): KnownWindow {
    const known = live(id, time);
    if (known !== undefined) return known;
    windows.delete(id);
    if (windows.size >= capacity) windows.delete(windows.keys().next().value as string);
    const window = { used: 0, resetAt: time + length, seenAt: never, alone: 0, outage: undefined };
    windows.set(id, window);
    return window;
  }

  return {
    live,
    open,
    takeShare(counters, points, { time, nodes }) {
      const shares = counters
        .flatMap((counter) => withNetworks(counter, ipv6Factor))
        .map(({ id, limit }) => {
          const known = open(id, time);
          const outage = (known.outage ??= { used: known.used, spent: 0 });
          return { outage, share: Math.ceil((limit - outage.used) / Math.max(1, nodes)) };
        });
      const fits = shares.every(({ outage, share }) => outage.spent + points <= share);
      if (fits) for (const { outage } of shares) outage.spent += points;
      return fits;
    },
    record(id, time, used, msLeft, settling) {
      const window = open(id, time);
      window.used = used;
      window.resetAt = time + (msLeft === 0 ? length : msLeft);
      window.seenAt = time;
      if (!settling) window.outage = undefined;
      return window.resetAt;
    },
    forget: (id) => void windows.delete(id),
    *owing() {
      for (const [id, { alone }] of windows) if (alone !== 0) yield id;
    },
  };
}
