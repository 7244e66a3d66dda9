import type { AccountShares } from "./delivery-queue.ts";

/** Claims that each account may still get in one call. */
export interface Room {
  has(account: string): boolean;
  take(account: string): void;
}

export function createRoom({ max, running }: AccountShares = { max: Infinity, running: new Map() }): Room {
  const used = new Map(running);
  const usedBy = (account: string): number => used.get(account) ?? 0;
  return {
    has: (account) => usedBy(account) < max,
    take: (account) => void used.set(account, usedBy(account) + 1),
  };
}
