import { callerBucket } from "../../services/access/buckets.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Memory budget for large bodies and answers. One caller gets at most half of it: unfinished uploads or unread answers
 * of one caller leave room for others. A single answer may be larger than that half.
 */
export interface Allowance {
  /**
   * Books bytes and reports whether they fit the total and the caller's share. Booked bytes must be given back either
   * way.
   */
  take(exchange: Exchange, bytes: number): "room" | "callerFull" | "full";
  giveBack(exchange: Exchange, bytes: number): void;
}

/** @param total Bytes at a time. */
export function createAllowance(total: number): Allowance {
  let held = 0;
  /** Bytes of `held` by caller. */
  const shares = new Map<string, number>();
  return {
    take(exchange, bytes) {
      const caller = callerBucket(exchange.principal, exchange.ip);
      const share = (shares.get(caller) ?? 0) + bytes;
      held += bytes;
      shares.set(caller, share);
      if (share > total / 2 && share > bytes) return "callerFull";
      return held > total ? "full" : "room";
    },
    giveBack(exchange, bytes) {
      const caller = callerBucket(exchange.principal, exchange.ip);
      const share = (shares.get(caller) ?? 0) - bytes;
      if (share > 0) shares.set(caller, share);
      else shares.delete(caller);
      held -= bytes;
    },
  };
}
