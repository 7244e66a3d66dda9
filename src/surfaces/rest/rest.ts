import type { Handler, Route } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { createCall } from "./call.ts";
import type { RestDeps } from "./deps.ts";
import { createDocuments } from "./documents.ts";
import { addInboxRoutes } from "./inbox-routes.ts";
import { createEvents } from "./events.ts";
import { createLlms } from "./llms.ts";
import { createOpenapi } from "./openapi.ts";
import { createPipelineCall } from "./pipeline.ts";
import { createProblemPages } from "./problem-pages.ts";
import { slugOf } from "./slug.ts";

/** Adds the REST surface to the shell. */
export function addRest(http: Http, deps: RestDeps): void {
  const documents = createDocuments(deps.catalog, http.reply);
  const call = createCall(http, deps);
  http.route({ path: "/api/tools", methods: { GET: documents.list }, page: true });
  const template = "/api/tools/:slug";
  // A wrong method on a tool, or a key in its query, counts as a malformed call.
  const beforeRefusal: Handler = async (exchange) => {
    await http.admit(exchange);
  };
  const tool: Omit<Route, "path"> = {
    template,
    methods: { GET: documents.one, POST: call },
    page: true,
    beforeRefusal,
  };
  // A path without parameters is one look-up in a table. Each tool gets its own route with its first call, because
  // adding ninety of them would delay every start.
  const routed = new Set<string>();
  const firstCall: Handler = (exchange) => {
    const slug = slugOf(exchange);
    if (deps.catalog.has(slug) && !routed.has(slug)) {
      routed.add(slug);
      http.route({ ...tool, path: `/api/tools/${slug}` });
    }
    return call(exchange);
  };
  http.route({ ...tool, path: template, methods: { GET: documents.one, POST: firstCall } });
  http.route({
    path: "/api/pipelines/run",
    methods: { POST: createPipelineCall(http, deps) },
    beforeRefusal,
  });
  if (deps.inbox !== undefined) addInboxRoutes(http, deps, deps.inbox, beforeRefusal);
  http.route({
    path: "/llms.txt",
    methods: { GET: createLlms(deps.catalog, http.reply, { ...deps.options, ...deps }) },
    page: true,
  });
  http.route({ path: "/api/events", methods: { GET: createEvents(http.reply) }, page: true });
  const openapi = createOpenapi(http.reply, deps);
  http.route({ path: "/openapi.json", methods: { GET: openapi.document }, page: true });
  http.route({ path: "/api", methods: { GET: openapi.page }, page: true });
  http.route({
    path: "/problems/:code",
    methods: { GET: createProblemPages(http.reply, deps.options.basePath, deps.showProblem) },
    page: true,
  });
}
