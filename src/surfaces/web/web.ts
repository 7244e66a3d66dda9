import { ToolError } from "../../catalog/errors.ts";
import { prefersPage } from "../http/accept.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { lazyHandlers } from "../http/lazy-handlers.ts";
import type { Link } from "./document.ts";
import type { SessionDeps, WebDeps, WebSurface } from "./deps.ts";

/** Adds the pages to the shell. Their code is loaded by the first request of one. */
export function addWeb(http: Http, deps: WebDeps): WebSurface {
  const { get, handle } = lazyHandlers(async () =>
    (await import("./handlers.ts")).createHandlers(http, deps),
  );

  http.route({ path: "/", methods: { GET: handle("home") }, page: true });
  http.route({ path: "/tools", methods: { GET: handle("tools") }, page: true });
  http.route({ path: "/tools/:slug", methods: { GET: handle("tool") }, page: true });
  http.route({ path: "/pipelines", methods: { GET: handle("pipelines") }, page: true });
  http.route({ path: "/settings/:page", methods: { GET: handle("settings") }, page: true });
  http.route({ path: "/operator/:page", methods: { GET: handle("operator") }, page: true });
  http.route({ path: "/web/tools", methods: { GET: handle("list") } });
  http.route({ path: "/web/tools/:slug", methods: { GET: handle("definition") } });
  http.route({ path: "/web/build", methods: { GET: handle("build") } });
  http.route({ path: "/web/:file", methods: { GET: handle("file") } });
  http.showRefusals(
    (exchange, error) => {
      if (!(error instanceof ToolError) || !isMissing(error) || !isNavigation(exchange.req)) return undefined;
      return get().then(({ refuse }) => refuse(exchange, error));
    },
    async (...refusal) => (await get()).refusal(...refusal),
  );
  return {
    problem: async (exchange, code) => (await get()).problem(exchange, code),
    api: async (exchange, endpoints) => (await get()).api(exchange, endpoints),
    signIn: async (exchange) => (await get()).signIn(exchange),
    show: async (...args) => (await get()).show(...args),
    refuse: async (exchange, error, links) => (await get()).refuse(exchange, error, links),
  };
}

/** Adds `/session`, the session of a browser, and single sign-on. Their code is loaded by the first request. */
export function addSession(http: Http, deps: SessionDeps): void {
  const { handle } = lazyHandlers(async () =>
    (await import("./session.ts")).createSessionHandlers(http, deps),
  );
  http.route({
    path: "/session",
    methods: { GET: handle("show"), POST: handle("begin"), DELETE: handle("end") },
  });
  addSignIn(http, deps);
  if (deps.oidc.issuer !== "") addSignOn(http, deps);
}

/** Adds `/sign-in`. Where a proxy signs people in, this path alone reads whom it names. */
function addSignIn(http: Http, deps: SessionDeps): void {
  const { pages, proxyAuth } = deps;
  const path = "/sign-in";
  if (proxyAuth.header === "")
    return http.route({ path, methods: { GET: (exchange) => pages.signIn(exchange) }, page: true });
  const { handle } = lazyHandlers(async () =>
    (await import("./proxy-sign-in.ts")).createProxySignInHandlers(http, deps),
  );
  http.route({
    path,
    page: true,
    methods: { GET: handle("show"), POST: handle("begin") },
    async refuse(exchange, error) {
      if (!(error instanceof ToolError) || !prefersPage(exchange.req.headers.accept)) throw error;
      await pages.refuse(exchange, error, [{ path: "sign-in", text: "Sign in" }]);
    },
  });
}

function addSignOn(http: Http, deps: SessionDeps): void {
  const { handle } = lazyHandlers(async () =>
    (await import("./sign-on.ts")).createSignOnHandlers(http, deps),
  );

  const add = (path: string, name: "start" | "callback" | "leave", page?: true): void =>
    http.route({
      path,
      methods: { GET: handle(name) },
      // The provider's page leads to the callback, and bookmarks to the start.
      ...(page && { page }),
      async refuse(exchange, error) {
        if (!(error instanceof ToolError) || !isNavigation(exchange.req)) throw error;
        await deps.pages.refuse(exchange, error, ways);
      },
    });

  add("/sign-in/oidc", "start", true);
  add("/sign-in/callback", "callback", true);
  add("/sign-in/leave", "leave");
}

/** Links for a person who was not signed in. */
const ways: readonly Link[] = [
  { path: "sign-in/oidc", text: "Sign in again" },
  { path: "sign-in", text: "Sign in with a one-time code" },
];

const isMissing = ({ code }: ToolError): boolean => code === "not_found" || code === "unknown_tool";

const isNavigation = ({ method, headers }: Exchange["req"]): boolean =>
  (method === "GET" || method === "HEAD") && prefersPage(headers.accept);
