import { ToolError } from "../../catalog/errors.ts";
import type { Principal, Ticket } from "../../catalog/principal.ts";
import type { Credentials } from "../../services/access/auth.ts";
import { connectionOf } from "./connection.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";
import { countHeader } from "./head.ts";
import type { Uncounted } from "./uncounted.ts";

/** Authenticates the caller and counts the request before anything else of it is read. */
export type Admit = (exchange: Exchange) => Promise<Ticket>;

export const credentialsOf = ({ req: { headers, rawHeaders, socket }, ip }: Exchange): Credentials => ({
  authorization: headers.authorization,
  authorizationCount: headers.authorization === undefined ? 0 : countHeader(rawHeaders, "authorization"),
  xApiKey: headers["x-api-key"] !== undefined,
  ip,
  holder: connectionOf(socket),
});

interface Early {
  account: string | undefined;
  ticket: Promise<Ticket>;
}

/** @throws ToolError (401, 403, 429, 503). Sets the caller and the quota of the exchange as soon as they are known. */
export function createAdmit({
  runner,
  authenticate,
  presume,
  metrics,
  now,
  uncounted,
}: Pick<HttpDeps, "runner" | "authenticate" | "presume" | "metrics" | "now"> & {
  uncounted: Uncounted;
}): Admit {
  /** Counts the request while its key is still being looked up; valid only if the presumed caller is confirmed. */
  async function admitEarly(credentials: Credentials): Promise<Early | undefined> {
    const principal = await presume(credentials).catch(() => undefined);
    if (principal === undefined) return undefined;
    const ticket = runner.admit(principal);
    // Awaited later; a rejection before that is not unhandled.
    ticket.catch(() => undefined);
    return { account: principal.account, ticket };
  }

  async function takeEarly(principal: Principal, early: Early | undefined): Promise<Ticket> {
    if (early === undefined || principal.kind !== "key" || principal.account !== early.account) {
      return runner.admit(principal);
    }
    const ticket = await early.ticket;
    ticket.principal = principal;
    return ticket;
  }

  return async (exchange) => {
    let early: Promise<Early | undefined> | undefined;
    try {
      const credentials = credentialsOf(exchange);
      const found = authenticate(credentials);
      if (found instanceof Promise) {
        early = admitEarly(credentials);
        exchange.principal = await found;
      } else exchange.principal = found;
    } catch (error) {
      metrics.auth(error instanceof ToolError ? error.code : "internal");
      uncounted.take(exchange);
      throw error;
    }
    const { principal } = exchange;
    metrics.auth(principal.kind === "anonymous" ? "anonymous" : "ok");
    try {
      const ticket = await (early === undefined
        ? runner.admit(principal)
        : takeEarly(principal, await early));
      exchange.quota = ticket.quota;
      ticket.requestId = exchange.requestId;
      return ticket;
    } catch (error) {
      if (error instanceof ToolError && error.code === "quota_exceeded") {
        const { limit, retryAfter = 1 } = error.details;
        // There is no ticket, but the error says when the window ends.
        if (limit !== undefined)
          exchange.quota = { limit, used: limit, remaining: 0, resetAt: now() + retryAfter * 1000 };
      }
      throw error;
    }
  };
}
