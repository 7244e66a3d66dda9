import { ToolError } from "../../catalog/errors.ts";
import type { Ticket } from "../../catalog/principal.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";

/** Finds out who calls and counts the request, before anything else of it is looked at. */
export type Admit = (exchange: Exchange) => Promise<Ticket>;

/** @throws ToolError (401, 403, 429, 503); the exchange knows the caller and the window as far as they were found. */
export function createAdmit({
  runner,
  authenticate,
  metrics,
  now,
}: Pick<HttpDeps, "runner" | "authenticate" | "metrics" | "now">): Admit {
  return async (exchange) => {
    const { headers } = exchange.req;
    try {
      const found = authenticate({
        authorization: headers.authorization,
        authorizationCount: headers.authorization === undefined ? 0 : countAuthorization(exchange),
        xApiKey: headers["x-api-key"] !== undefined,
        ip: exchange.ip,
      });
      exchange.principal = found instanceof Promise ? await found : found;
    } catch (error) {
      metrics.auth(error instanceof ToolError ? error.code : "internal");
      throw error;
    }
    const { principal } = exchange;
    metrics.auth(principal.kind === "anonymous" ? "anonymous" : "ok");
    const plan = principal.plan ?? "free";
    try {
      const ticket = await runner.admit(principal);
      exchange.quota = ticket.quota;
      metrics.limit(plan, "allowed");
      return ticket;
    } catch (error) {
      if (error instanceof ToolError && error.code === "quota_exceeded") {
        metrics.limit(plan, "refused");
        const { limit, retryAfter = 1 } = error.details;
        // The window is known though there is no ticket: its end is when the caller may come back.
        if (limit !== undefined)
          exchange.quota = { limit, used: limit, remaining: 0, resetAt: now() + retryAfter * 1000 };
      }
      throw error;
    }
  };
}

/** Node keeps the first of two Authorization headers and drops the other without a word; the raw list has both. */
function countAuthorization({ req: { rawHeaders } }: Exchange): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 13 && name.toLowerCase() === "authorization") count++;
  }
  return count;
}
