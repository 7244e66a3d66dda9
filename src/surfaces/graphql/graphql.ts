import type { Exchange } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { lazyHandlers } from "../http/lazy-handlers.ts";
import type { GraphqlDeps } from "./deps.ts";

export interface GraphqlSurface {
  /** WebSockets and event streams that are open. */
  connections(): number;
}

/** Adds GraphQL to the shell. The handlers are loaded by the first request. */
export function addGraphql(http: Http, deps: GraphqlDeps): GraphqlSurface {
  const { get, loaded, handle } = lazyHandlers(async () => {
    const { createHandlers } = await import("./handlers.ts");
    return createHandlers(http, deps);
  });
  const answer = handle("answer");
  http.route({
    path: "/graphql",
    methods: { GET: answer, POST: answer },
    // Shows GraphiQL. No document is run for a visitor from another site.
    page: true,
    isCounted: true,
    requestHeaders: ["GraphQL-Require-Preflight"],
    // A wrong method, or a key in the query, counts as a malformed call.
    async beforeRefusal(exchange: Exchange) {
      await http.admit(exchange);
    },
    refuse: async (exchange, error) => (await get()).refuse(exchange, error),
  });
  http.upgrade("/graphql", async (exchange, head) => (await get()).socket(exchange, head));
  http.route({ path: "/graphql/schema.graphql", methods: { GET: handle("sdl") }, page: true });
  if (deps.graphql.graphiql)
    http.route({ path: "/graphql/graphiql/:file", methods: { GET: handle("file") } });
  return { connections: () => loaded()?.connections() ?? 0 };
}
