import { ToolError } from "../../catalog/errors.ts";
import { lazy } from "../../lib/lazy.ts";
import type { Exchange, Handler, Upgrade } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { abortOnLeave } from "../http/leaving.ts";
import { originOf } from "../http/origin.ts";
import { sendShared } from "../http/shared.ts";
import { sendTagged, toTagged } from "../http/tagged.ts";
import { createAdmission } from "./admission.ts";
import { codeOf, countOperations } from "./count-operations.ts";
import { createOperations, type OperationEngine } from "./create-operations.ts";
import type { GraphqlDeps } from "./deps.ts";
import { createErrors, type Refusal } from "./errors.ts";
import { acceptsStream, type Form, negotiate, typeOfRefusal, types } from "./negotiate.ts";
import type { OperationParams } from "./operations.ts";
import { createSchema, type Schema } from "./schema/schema.ts";
import { createStreams } from "./stream.ts";
import { createConnectionLimiter, type ConnectionLimiter } from "../http/connection-limiter.ts";

/** The GraphQL handlers over HTTP. */
export interface GraphqlHandlers {
  /** GET and POST of /graphql. */
  answer: Handler;
  /** GET /graphql/schema.graphql */
  sdl: Handler;
  /** GET /graphql/graphiql/:file */
  file: Handler;
  /** Sends refusals on /graphql. */
  refuse(exchange: Exchange, error: unknown): void;
  /** Accepts a WebSocket handshake on /graphql. */
  socket: Upgrade;
  connections(): number;
}

export function createHandlers(http: Http, deps: GraphqlDeps): GraphqlHandlers {
  const { basePath } = deps.options;
  const { reply } = http;
  const connections = createConnections(deps.graphql.maxConnections);
  const errors = createErrors(basePath, () => {});
  const schema = lazy(() => createSchema(deps.catalog));
  const engine = lazy(async () => {
    const operations = countOperations(createOperations(deps, (await schema()).schema), deps.metrics);
    const streams = createStreams(http, deps, operations, connections);
    const admission = createAdmission(http, deps);
    return { operations, streams, admission };
  });
  const graphiql = lazy(async () => {
    const { createGraphiql } = await import("./graphiql.ts");
    return createGraphiql({ reply, introspection: deps.graphql.introspection });
  });
  const sockets = lazy(async () => {
    const { createSockets } = await import("./socket.ts");
    return createSockets(http, deps, (await engine()).operations, connections);
  });
  let opened: Awaited<ReturnType<typeof engine>> | undefined;
  const document = lazy(async () => toTagged("text/plain; charset=utf-8", ((await schema()) as Schema).sdl));

  const answer: Handler = async (exchange) => {
    const { method, headers } = exchange.req;
    const form = negotiate(headers.accept, method !== "POST" && deps.graphql.graphiql);
    if (form === "page") return (await graphiql()).page(exchange);
    if (method !== "POST") requireOwnSite(exchange);
    const { operations, streams, admission } = (opened ??= await engine());
    const { ticket, params } = await admission.admit(exchange, form);
    if (form === "stream" || (acceptsStream(headers.accept) && isSubscription(operations, params))) {
      exchange.operation = operations.peek(params)?.node.operation ?? "";
      return streams.run(exchange, ticket, params, baseUrlOf(exchange));
    }
    let signal: AbortSignal | undefined;
    const outcome = await operations.begin(params, {
      ticket,
      requestId: exchange.requestId,
      ip: exchange.ip,
      get baseUrl() {
        return baseUrlOf(exchange);
      },
      get signal() {
        return (signal ??= abortOnLeave(exchange).signal);
      },
      get gone() {
        return exchange.res.destroyed;
      },
      mutation: method === "POST",
      subscription: false,
    });
    exchange.operation = outcome.operation ?? "";
    exchange.outcome = codeOf(outcome) ?? "";
    exchange.onGone = undefined;
    if (outcome.kind === "refused") return sendRefusal(exchange, form as Single, outcome);
    if (outcome.kind === "stream") throw new Error("A subscription was not refused");
    const type = types[form as Single];
    const { kept, result } = outcome;
    if (kept !== undefined) return sendShared(reply, exchange, type, kept, fresh);
    return reply.sendCompressed(exchange, 200, type, JSON.stringify(result), fresh);
  };

  const baseUrlOf = (exchange: Exchange): string => originOf(exchange) + basePath;

  function sendRefusal(exchange: Exchange, form: Single, { errors: found, status, headers }: Refusal): void {
    // A client that only knows `application/json` gets errors of the document with status 200.
    const shown = form === "json" && status === 400 ? 200 : status;
    reply.send(exchange, shown, types[form], JSON.stringify({ errors: found }), [...headers, ...vary]);
  }

  return {
    answer,
    async sdl(exchange) {
      if (!deps.graphql.introspection)
        throw new ToolError(
          "not_found",
          "The schema of this installation is not public (graphql.introspection).",
        );
      return sendTagged(reply, exchange, await document());
    },
    file: async (exchange) => (await graphiql()).file(exchange),
    refuse(exchange, error) {
      const { errors: found, status, headers } = errors.ofRequest(error, exchange);
      const type = typeOfRefusal(exchange.req.headers.accept);
      reply.send(exchange, status, type, JSON.stringify({ errors: found }), [...headers, ...vary]);
    },
    connections: connections.open,
    socket: async (exchange, head) => (await sockets())(exchange, head),
  };
}

/** The forms of a single answer. */
type Single = Exclude<Form, "stream" | "page">;

const vary = ["Vary", "Accept, Accept-Encoding"];
/** It may contain a secret that is shown only once. */
const fresh = ["Cache-Control", "no-store", ...vary];

const isSubscription = (operations: OperationEngine, params: OperationParams): boolean =>
  operations.peek(params)?.node.operation === "subscription";

/** Most connections of one account, or of one address without an account. */
const own = 64;

/** Limits WebSockets and event streams together: `graphql.maxConnections` in total. */
export const createConnections = (all: number): ConnectionLimiter =>
  createConnectionLimiter({ all, own, what: "connections" });

/**
 * Refuses a document by GET, which any page can send without a preflight, unless it has one of three headers that a
 * page of another site cannot send.
 * @throws ToolError cross_site
 */
function requireOwnSite({ req: { headers }, visit }: Pick<Exchange, "req" | "visit">): void {
  if (
    !visit &&
    (headers.authorization !== undefined ||
      headers["sec-fetch-site"] === "same-origin" ||
      headers["graphql-require-preflight"] !== undefined)
  )
    return;
  throw new ToolError(
    "cross_site",
    "GET /graphql runs a document with an Authorization header, with Sec-Fetch-Site: same-origin (which browsers send), or with a header GraphQL-Require-Preflight of any value. Send one of them, or use POST.",
  );
}
