import { callerBucket } from "../../services/access/buckets.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Memory for large bodies and answers. One caller gets half of it, so that whoever begins many uploads and ends none,
 * or asks for much and reads nothing, leaves room for others.
 */
export interface Allowance {
  /** Books the bytes and says whether there was room: for all callers, and for this one. They are to be given back in any case. */
  take(exchange: Exchange, bytes: number): "room" | "callerFull" | "full";
  giveBack(exchange: Exchange, bytes: number): void;
}

/** @param total Bytes at a time. */
export function createAllowance(total: number): Allowance {
  let held = 0;
  /** Of `held`, by caller. */
  const shares = new Map<string, number>();
  return {
    take(exchange, bytes) {
      const caller = callerBucket(exchange.principal, exchange.ip);
      const share = (shares.get(caller) ?? 0) + bytes;
      held += bytes;
      shares.set(caller, share);
      if (share > total / 2) return "callerFull";
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
