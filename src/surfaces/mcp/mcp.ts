import { lazy } from "../../lib/lazy.ts";
import type { Http } from "../http/http.ts";
import type { McpDeps } from "./deps.ts";
import type { McpHandlers } from "./http-transport.ts";

/** Adds the Model Context Protocol to the shell. The handlers are loaded by the first request. */
export function addMcp(http: Http, deps: McpDeps): void {
  let loaded: McpHandlers | undefined;
  const handlers = lazy(async () => {
    const { createHandlers } = await import("./handlers.ts");
    return (loaded = createHandlers(http, deps));
  });
  http.route({
    path: "/mcp",
    methods: {
      POST: (exchange) =>
        loaded === undefined ? handlers().then(({ answer }) => answer(exchange)) : loaded.answer(exchange),
    },
    requestHeaders: ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"],
    // Only runs are counted, and none of these is one.
    beforeRefusal: async (exchange) => http.uncounted.take(exchange),
    refuse: async (exchange, error) => (await handlers()).refuse(exchange, error),
  });
}
