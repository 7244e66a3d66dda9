// The library's index loads every driver (74 KB instead of 4 KB); its deep imports have no types.
declare module "rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage.js" {
  import type { RateLimiterRes } from "rate-limiter-flexible";
  export default class MemoryStorage {
    /** Adds to the count of a key, or begins a new one, which ends after `seconds`. */
    incrby(key: string, points: number, seconds: number): RateLimiterRes;
    set(key: string, points: number, seconds: number): RateLimiterRes;
    delete(key: string): boolean;
  }
}
