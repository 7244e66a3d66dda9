import { once } from "../../lib/once.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import type { GraphqlDeps } from "./deps.ts";
import type { GraphqlHandlers } from "./handlers.ts";

export interface GraphqlSurface {
  /** WebSockets and event streams that are open. */
  connections(): number;
}

/** Puts GraphQL into the shell. What answers it is loaded by the first request. */
export function addGraphql(http: Http, deps: GraphqlDeps): GraphqlSurface {
  let loaded: GraphqlHandlers | undefined;

  async function load(): Promise<GraphqlHandlers> {
    const { createHandlers } = await import("./handlers.ts");
    return (loaded = createHandlers(http, deps));
  }

  const handlers = once(load);

  const lazy =
    (name: "answer" | "sdl" | "file"): Handler =>
    (exchange) =>
      loaded === undefined ? handlers().then((found) => found[name](exchange)) : loaded[name](exchange);

  const answer = lazy("answer");
  http.route({
    path: "/graphql",
    methods: { GET: answer, POST: answer },
    // Shows GraphiQL. For a visitor from another site no document is run.
    page: true,
    isCounted: true,
    // A wrong method, or a key in the query, is a malformed call, and those count.
    async beforeRefusal(exchange: Exchange) {
      await http.admit(exchange);
    },
    refuse: async (exchange, error) => (await handlers()).refuse(exchange, error),
  });
  http.upgrade("/graphql", async (exchange, head) => (await handlers()).socket(exchange, head));
  http.route({ path: "/graphql/schema.graphql", methods: { GET: lazy("sdl") }, page: true });
  if (deps.graphql.graphiql) http.route({ path: "/graphql/graphiql/:file", methods: { GET: lazy("file") } });
  return { connections: () => loaded?.connections() ?? 0 };
}
