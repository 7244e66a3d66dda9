import { ToolError } from "../../catalog/errors.ts";
import type { Principal, Ticket } from "../../catalog/principal.ts";
import type { Credentials } from "../../services/access/auth.ts";
import { connectionOf } from "./connection.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";
import { countHeader } from "./head.ts";
import type { Uncounted } from "./uncounted.ts";

/**
 * Authenticates the caller and counts the request before anything else of it is read. Returns a promise only if the store
 * has to be asked.
 */
export type Admit = (exchange: Exchange) => Ticket | Promise<Ticket>;

export interface Admission {
  /** @throws ToolError (401, 403, 429, 503). Sets the caller and the quota of the exchange as soon as they are known. */
  admit: Admit;
  /** Authenticates the caller only, where the body says whether the request counts. @throws ToolError as `admit` does. */
  identify(exchange: Exchange): Promise<void>;
  /** Counts the request of an identified caller. @throws ToolError quota_exceeded, storage_unavailable */
  count: Admit;
}

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

export function createAdmission({
  runner,
  authenticate,
  presume,
  metrics,
  runtime,
  uncounted,
}: Pick<HttpDeps, "runner" | "authenticate" | "presume" | "metrics" | "runtime"> & {
  uncounted: Uncounted;
}): Admission {
  /** Counts the request while its key is still being looked up; valid only if the presumed caller is confirmed. */
  async function admitEarly(credentials: Credentials): Promise<Early | undefined> {
    const principal = await presume(credentials).catch(() => undefined);
    if (principal === undefined) return undefined;
    const ticket = Promise.try(() => runner.admit(principal));
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

  /** Records that a credential is refused. @throws ToolError quota_exceeded for too many of one address. */
  function noteRefusal(exchange: Exchange, error: unknown): void {
    metrics.auth(error instanceof ToolError ? error.code : "internal");
    uncounted.take(exchange);
  }

  const noteCaller = ({ kind }: Principal): void => metrics.auth(kind === "anonymous" ? "anonymous" : "ok");

  function take(exchange: Exchange, ticket: Ticket): Ticket {
    exchange.quota = ticket.quota;
    ticket.requestId = exchange.requestId;
    return ticket;
  }

  /** Sets the quota from a refusal: there is no ticket, but the error says when the window ends. */
  function noteSpent(exchange: Exchange, error: unknown): void {
    if (!(error instanceof ToolError) || error.code !== "quota_exceeded") return;
    const { limit, retryAfter = 1 } = error.details;
    if (limit !== undefined)
      exchange.quota = { limit, used: limit, remaining: 0, resetAt: runtime.now() + retryAfter * 1000 };
  }

  /** Counts the request of a caller whose key is being looked up. */
  async function admitUnknown(
    exchange: Exchange,
    credentials: Credentials,
    pending: Promise<Principal>,
  ): Promise<Ticket> {
    const early = admitEarly(credentials);
    const principal = await identify(exchange, pending);
    return settle(exchange, takeEarly(principal, await early));
  }

  async function identify(exchange: Exchange, pending: Promise<Principal>): Promise<Principal> {
    try {
      exchange.principal = await pending;
    } catch (error) {
      noteRefusal(exchange, error);
      throw error;
    }
    noteCaller(exchange.principal);
    return exchange.principal;
  }

  function count(exchange: Exchange, principal: Principal): Ticket | Promise<Ticket> {
    try {
      const ticket = runner.admit(principal);
      return ticket instanceof Promise ? settle(exchange, ticket) : take(exchange, ticket);
    } catch (error) {
      noteSpent(exchange, error);
      throw error;
    }
  }

  async function settle(exchange: Exchange, pending: Promise<Ticket>): Promise<Ticket> {
    try {
      return take(exchange, await pending);
    } catch (error) {
      noteSpent(exchange, error);
      throw error;
    }
  }

  /** Returns the caller if the key is cached. */
  function look(exchange: Exchange, credentials: Credentials): Principal | Promise<Principal> {
    try {
      return authenticate(credentials);
    } catch (error) {
      noteRefusal(exchange, error);
      throw error;
    }
  }

  return {
    admit(exchange) {
      const credentials = credentialsOf(exchange);
      const found = look(exchange, credentials);
      if (found instanceof Promise) return admitUnknown(exchange, credentials, found);
      exchange.principal = found;
      noteCaller(found);
      return count(exchange, found);
    },
    async identify(exchange) {
      await identify(exchange, Promise.resolve(look(exchange, credentialsOf(exchange))));
    },
    count(exchange) {
      if (exchange.principal === undefined) throw new Error("The caller was not identified");
      return count(exchange, exchange.principal);
    },
  };
}
