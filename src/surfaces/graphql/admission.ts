import { ToolError } from "../../catalog/errors.ts";
import type { Ticket } from "../../catalog/principal.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import type { OperationEngine } from "./create-operations.ts";
import type { GraphqlDeps } from "./deps.ts";
import type { Form } from "./negotiate.ts";
import type { OperationParams } from "./operations.ts";
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

export function createAdmission(
  http: Http,
  { options, graphql, runner, metrics }: Pick<GraphqlDeps, "options" | "graphql" | "runner" | "metrics">,
  operations: Pick<OperationEngine, "peek">,
): Admission {
  const most = { bytes: graphql.maxBytes, option: "graphql.maxBytes" };

  /** Whoever signs in has no credential yet; on a private endpoint it is all that can be done without one. */
  const isStranger = ({ req: { headers } }: Exchange): boolean =>
    !options.anonymous && headers.authorization === undefined && headers["x-api-key"] === undefined;

  /** Undefined for whatever else is asked for, or wrong: that is not for strangers to know. */
  async function readSignIn(exchange: Exchange): Promise<OperationParams | undefined> {
    try {
      requireJson(exchange.req.headers);
      const params = fromBody(await http.body.read(exchange, options.inlineBytes, { bytes: signInMost }));
      return operations.peek(params)?.signIn === true ? params : undefined;
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }

  async function admitStranger(exchange: Exchange): Promise<Admitted | undefined> {
    if (exchange.req.method !== "POST") return undefined;
    const params = await readSignIn(exchange);
    if (params === undefined) return undefined;
    exchange.principal = { kind: "anonymous", ip: exchange.ip };
    metrics.auth("anonymous");
    const ticket = await runner.admit(exchange.principal);
    exchange.quota = ticket.quota;
    return { ticket, params };
  }

  return {
    async admit(exchange, form) {
      const stranger = isStranger(exchange) ? await admitStranger(exchange) : undefined;
      const ticket = stranger?.ticket ?? (await http.admit(exchange));
      if (form === undefined) {
        throw new ToolError(
          "not_acceptable",
          "The answer comes as application/json, application/graphql-response+json, application/graphql+json or text/event-stream.",
        );
      }
      if (stranger !== undefined) return stranger;
      if (exchange.req.method !== "POST") return { ticket, params: fromQuery(exchange.query) };
      requireJson(exchange.req.headers);
      const reading = http.body.read(exchange, options.inlineBytes, most);
      return { ticket, params: fromBody(reading instanceof Promise ? await reading : reading) };
    },
  };
}
