import type { Http } from "../http/http.ts";
import { lazyHandlers } from "../http/lazy-handlers.ts";
import type { McpDeps } from "./deps.ts";

/** Adds the Model Context Protocol to the shell. The handlers are loaded by the first request. */
export function addMcp(http: Http, deps: McpDeps): void {
  const handlers = lazyHandlers(async () => (await import("./handlers.ts")).createHandlers(http, deps));
  http.route({
    path: "/mcp",
    methods: { POST: handlers.handle("answer") },
    requestHeaders: ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"],
    // Only runs are counted, and none of these is one.
    beforeRefusal: async (exchange) => http.uncounted.take(exchange),
    refuse: async (exchange, error) => (await handlers.get()).refuse(exchange, error),
  });
}
