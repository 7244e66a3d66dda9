import type { Exchange } from "./exchange.ts";

/** Aborted when the client goes away; made only where there is something to stop. */
export function abortOnLeave(exchange: Exchange): AbortController {
  const controller = new AbortController();
  exchange.onGone = () => controller.abort();
  if (exchange.res.destroyed) controller.abort();
  return controller;
}
