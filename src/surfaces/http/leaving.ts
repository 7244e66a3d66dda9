import type { Exchange } from "./exchange.ts";

/** Returns a controller that aborts when the client disconnects. Call it only if there is work to stop. */
export function abortOnLeave(exchange: Exchange): AbortController {
  const controller = new AbortController();
  exchange.onGone = () => controller.abort();
  if (exchange.res.destroyed) controller.abort();
  return controller;
}
