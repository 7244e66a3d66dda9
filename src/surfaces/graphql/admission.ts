import { ToolError } from "../../catalog/errors.ts";
import type { Ticket } from "../../catalog/principal.ts";
import { bucketOf } from "../../services/access/client-ip.ts";
import { createWindowCounter } from "../../storage/window-counter.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import type { GraphqlDeps } from "./deps.ts";
import type { Form } from "./negotiate.ts";
import type { OperationParams } from "./operations.ts";
import { readsAsSignIn } from "./plan.ts";
import { fromBody, fromQuery, requireJson } from "./request.ts";

/** A counted request and the operation it asks for. */
export interface Admitted {
  ticket: Ticket;
  params: OperationParams;
}

/** Authenticates and counts before anything else of the request is read. */
export interface Admission {
  /** @throws ToolError as REST does; not_acceptable if no answer format fits; invalid_input, bad_json. */
  admit(exchange: Exchange, form: Form | undefined): Promise<Admitted>;
}

/** Most bytes of a document that signs in. */
const maxSignInBytes = 4096;
/** Requests a minute of one address whose body is still read after its quota is used up, because they may sign in. */
const maxAttempts = 20;
const addressesWatched = 10_000;

export function createAdmission(
  http: Http,
  {
    options,
    graphql,
    runner,
    metrics,
    refusals,
    runtime,
  }: Pick<GraphqlDeps, "options" | "graphql" | "runner" | "metrics" | "refusals" | "runtime">,
): Admission {
  const minutes = createWindowCounter({ seconds: 60, capacity: addressesWatched, runtime });
  const max = { bytes: graphql.maxBytes, option: "graphql.maxBytes" };

  /** Reports whether the caller has no credential on a private endpoint; such a caller may only sign in. */
  const isStranger = ({ req: { headers } }: Exchange): boolean =>
    !options.anonymous && headers.authorization === undefined && headers["x-api-key"] === undefined;

  /**
   * Returns the parameters of a sign-in; undefined for any other or malformed request, whose faults strangers do not
   * learn.
   */
  async function readSignIn(exchange: Exchange): Promise<OperationParams | undefined> {
    try {
      requireJson(exchange.req.headers);
      const params = fromBody(await http.body.read(exchange, options.inlineBytes, { bytes: maxSignInBytes }));
      return readsAsSignIn(params) ? params : undefined;
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }

  /** Counts the request by address but does not refuse it for a used-up quota: see `admitSpent`. */
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
   * Lets a sign-in through after the quota of its address is used up, so that an owner who has not signed in yet can
   * revoke the key that is being misused. Codes cannot be guessed this way: each wrong one counts as a refused
   * credential.
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

  /** Reports whether the body may be parsed; not for an address at its cap of refused credentials. */
  const maySignIn = ({ req: { method }, ip }: Exchange): boolean =>
    method === "POST" && refusals.blocked(ip) === undefined;

  /** Counts an attempt to sign in after the quota is used up. */
  function takeAttempt({ ip }: Exchange): boolean {
    const bucket = bucketOf(ip);
    if ((minutes.seen(bucket)?.used ?? 0) >= maxAttempts) return false;
    void minutes.consume(bucket, 1);
    return true;
  }

  /** Counts the request; returns the operation too if it had to be read for that. */
  async function count(exchange: Exchange): Promise<Counted> {
    const signingIn = isStranger(exchange) ? await admitStranger(exchange) : undefined;
    if (signingIn !== undefined) return signingIn;
    try {
      return { ticket: await http.admit(exchange) };
    } catch (error) {
      return admitSpent(exchange, error);
    }
  }

  async function read(exchange: Exchange): Promise<OperationParams> {
    if (exchange.req.method !== "POST") return fromQuery(exchange.query);
    requireJson(exchange.req.headers);
    const reading = http.body.read(exchange, options.inlineBytes, max);
    return fromBody(reading instanceof Promise ? await reading : reading);
  }

  return {
    async admit(exchange, form) {
      const { ticket, params } = await count(exchange);
      if (form === undefined) {
        throw new ToolError(
          "not_acceptable",
          "Accept must allow application/json, application/graphql-response+json, application/graphql+json or text/event-stream.",
        );
      }
      return { ticket, params: params ?? (await read(exchange)) };
    },
  };
}

type Counted = Omit<Admitted, "params"> & Partial<Admitted>;

const isSpent = (error: unknown): boolean => error instanceof ToolError && error.code === "quota_exceeded";
