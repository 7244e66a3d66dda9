import { type PendingSignIn, pendingSeconds, toParameters } from "./pending.ts";

/**
 * Remembers the sign-ins that a browser has come back for on this node: a copy of its cookie must not have another code
 * exchanged, also at a provider that accepts a code twice.
 */
export interface SpentSignIns {
  /** Spends a sign-in, and reports whether it was not spent before. */
  spend(pending: PendingSignIn): boolean;
}

/** Anybody can make up cookies, so the memory is bounded: beyond this the oldest entry is forgotten. */
const capacity = 10_000;

/** @param monotonic Milliseconds of a clock that never goes back. */
export function createSpentSignIns(monotonic: () => number): SpentSignIns {
  /** When each was spent, by state. The holder of a cookie could give it another time. */
  const times = new Map<string, number>();
  return {
    spend(pending) {
      const { state } = toParameters(pending);
      if (times.has(state)) return false;
      const now = monotonic();
      for (const [oldest, at] of times) {
        // A code is good for ten minutes at most (RFC 6749 §4.1.2).
        if (now - at < pendingSeconds * 1000 && times.size < capacity) break;
        times.delete(oldest);
      }
      times.set(state, now);
      return true;
    },
  };
}
