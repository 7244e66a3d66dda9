import { lazy } from "../../lib/lazy.ts";
import type { Handler } from "../http/exchange.ts";
import type { Reply } from "../http/reply.ts";
import { sendTagged, toTagged } from "../http/tagged.ts";
import type { RestDeps } from "./deps.ts";

/** `GET /openapi.json`: every path of this installation in OpenAPI 3.1. Free, like every document. */
export function createOpenapi(
  reply: Reply,
  {
    catalog,
    options: served,
    graphql,
    mcp,
    inbox,
  }: Pick<RestDeps, "catalog" | "options" | "graphql" | "mcp" | "inbox">,
): Handler {
  const { version, basePath, anonymous, metrics } = served;
  const document = lazy(async () => {
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
    return toTagged("application/json", JSON.stringify(toOpenapi(await catalog.all(), options)));
  });

  return async (exchange) => sendTagged(reply, exchange, await document());
}
