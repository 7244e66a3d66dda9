// The library's index loads every driver (74 KB instead of 19 KB); its deep imports have no types.
declare module "rate-limiter-flexible/lib/RateLimiterMemory.js" {
  import { RateLimiterMemory } from "rate-limiter-flexible";
  export default RateLimiterMemory;
}
