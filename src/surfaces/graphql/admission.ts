import { ToolError } from "../../catalog/errors.ts";
import type { Ticket } from "../../catalog/principal.ts";
import { bucketOf } from "../../services/access/client-ip.ts";
import { createWindowCounter } from "../../services/storage/window-counter.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import type { GraphqlDeps } from "./deps.ts";
import type { Form } from "./negotiate.ts";
import type { OperationParams } from "./operations.ts";
import { readsAsSignIn } from "./plan.ts";
import { fromBody, fromQuery, requireJson } from "./request.ts";

/** A request that was counted, and what it asks for. */
export interface Admitted {
  ticket: Ticket;
  params: OperationParams;
}

/** Who is calling comes before what is asked, and is counted before anything else is looked at. */
export interface Admission {
  /** @throws ToolError what REST refuses, too; not_acceptable where there is no form; invalid_input, bad_json. */
  admit(exchange: Exchange, form: Form | undefined): Promise<Admitted>;
}

/** Bytes of a document that signs in. */
const signInMost = 4096;
/** Requests a minute whose body is read, although the quota of their address is used up, because they may sign in. */
const attemptsMost = 20;
const addressesWatched = 10_000;

export function createAdmission(
  http: Http,
  {
    options,
    graphql,
    runner,
    metrics,
    refusals,
    now,
    monotonic,
  }: Pick<GraphqlDeps, "options" | "graphql" | "runner" | "metrics" | "refusals" | "now" | "monotonic">,
): Admission {
  const minutes = createWindowCounter({ seconds: 60, capacity: addressesWatched, now, monotonic });
  const most = { bytes: graphql.maxBytes, option: "graphql.maxBytes" };

  /** Whoever signs in has no credential yet; on a private endpoint it is all that can be done without one. */
  const isStranger = ({ req: { headers } }: Exchange): boolean =>
    !options.anonymous && headers.authorization === undefined && headers["x-api-key"] === undefined;

  /** Undefined for whatever else is asked for, or wrong: that is not for strangers to know. */
  async function readSignIn(exchange: Exchange): Promise<OperationParams | undefined> {
    try {
      requireJson(exchange.req.headers);
      const params = fromBody(await http.body.read(exchange, options.inlineBytes, { bytes: signInMost }));
      return readsAsSignIn(params) ? params : undefined;
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }

  /** Counted by address, but not refused for what that has used up: see `admitSpent`. */
  async function admitStranger(exchange: Exchange): Promise<Admitted | undefined> {
    const params = maySignIn(exchange) ? await readSignIn(exchange) : undefined;
    if (params === undefined) return undefined;
    exchange.principal = { kind: "anonymous", ip: exchange.ip };
    metrics.auth("anonymous");
    try {
      const ticket = await runner.admit(exchange.principal);
      exchange.quota = ticket.quota;
      return { ticket, params };
    } catch (error) {
      if (isSpent(error)) return { ticket: { principal: exchange.principal }, params };
      throw error;
    }
  }

  /**
   * What an address has used up must not keep the owner of an account, who has not signed in yet, from revoking the key
   * that is being misused. No code can be guessed this way: each that is wrong counts as a refused credential.
   */
  async function admitSpent(exchange: Exchange, refusal: unknown): Promise<Admitted> {
    const { principal } = exchange;
    const params =
      isSpent(refusal) && principal?.kind === "anonymous" && maySignIn(exchange) && takeAttempt(exchange)
        ? await readSignIn(exchange)
        : undefined;
    if (params === undefined || principal === undefined) throw refusal;
    return { ticket: { principal }, params };
  }

  /** Nothing is parsed for an address at its cap of refused credentials. */
  const maySignIn = ({ req: { method }, ip }: Exchange): boolean =>
    method === "POST" && refusals.blocked(ip) === undefined;

  /** Counts an attempt to sign in after the quota is used up. */
  function takeAttempt({ ip }: Exchange): boolean {
    const bucket = bucketOf(ip);
    if ((minutes.seen(bucket)?.used ?? 0) >= attemptsMost) return false;
    void minutes.consume(bucket, 1);
    return true;
  }

  return {
    async admit(exchange, form) {
      let signingIn = isStranger(exchange) ? await admitStranger(exchange) : undefined;
      let ticket = signingIn?.ticket;
      try {
        ticket ??= await http.admit(exchange);
      } catch (error) {
        signingIn = await admitSpent(exchange, error);
        ticket = signingIn.ticket;
      }
      if (form === undefined) {
        throw new ToolError(
          "not_acceptable",
          "The answer comes as application/json, application/graphql-response+json, application/graphql+json or text/event-stream.",
        );
      }
      if (signingIn !== undefined) return signingIn;
      if (exchange.req.method !== "POST") return { ticket, params: fromQuery(exchange.query) };
      requireJson(exchange.req.headers);
      const reading = http.body.read(exchange, options.inlineBytes, most);
      return { ticket, params: fromBody(reading instanceof Promise ? await reading : reading) };
    },
  };
}

const isSpent = (error: unknown): boolean => error instanceof ToolError && error.code === "quota_exceeded";
