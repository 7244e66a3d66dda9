// The library's index pulls every driver it has (74 KB against 19 KB); its deep imports come without types.
declare module "rate-limiter-flexible/lib/RateLimiterMemory.js" {
  import { RateLimiterMemory } from "rate-limiter-flexible";
  export default RateLimiterMemory;
}
