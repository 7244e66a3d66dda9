import { lazy } from "../../lib/lazy.ts";
import { prefersPage } from "../http/accept.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import { nothingHere } from "../http/problem.ts";
import type { Reply } from "../http/reply.ts";
import { sendTagged, toTagged } from "../http/tagged.ts";
import type { RestDeps } from "./deps.ts";
import type { OpenapiDocument } from "./openapi/types.ts";

/** Sends the page of the API in the look of the other pages. */
export type ShowApi = (exchange: Exchange, endpoints: readonly Endpoint[]) => Promise<void>;

/** Handlers of the descriptions of this installation's paths. Their requests are not counted, like those of every document. */
export interface Openapi {
  /** `GET /openapi.json`: every path in OpenAPI 3.1. */
  document: Handler;
  /** `GET /api`: a page for people. Programs get what they got before there were pages. */
  page: Handler;
}

export function createOpenapi(
  reply: Reply,
  {
    catalog,
    options: served,
    graphql,
    mcp,
    inbox,
    showApi,
  }: Pick<RestDeps, "catalog" | "options" | "graphql" | "mcp" | "inbox" | "showApi">,
): Openapi {
  const { version, basePath, anonymous, metrics } = served;
  const describe = lazy(async () => {
    // A start loads neither the tools nor their descriptions.
    const { toOpenapi } = await import("./openapi/document.ts");
    const options = {
      version,
      basePath,
      anonymous,
      inboxes: inbox !== undefined,
      ...(graphql && { graphql }),
      mcp: mcp !== undefined,
      metricsEnabled: metrics.enabled,
      metricsToken: metrics.token !== "",
    };
    const document = toOpenapi(await catalog.all(), options);
    return {
      tagged: toTagged("application/json", JSON.stringify(document)),
      endpoints: toEndpoints(document),
    };
  });

  return {
    async document(exchange) {
      return sendTagged(reply, exchange, (await describe()).tagged);
    },
    async page(exchange) {
      if (showApi === undefined || !prefersPage(exchange.req.headers.accept)) throw nothingHere();
      return showApi(exchange, (await describe()).endpoints);
    },
  };
}

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** Returns the operations of a document in its order. */
const toEndpoints = ({ paths }: OpenapiDocument): Endpoint[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { summary, tags } = operation;
      return [{ method: method.toUpperCase(), path, summary, tag: tags[0] ?? "" }];
    }),
  );
