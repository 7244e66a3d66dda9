import { ToolError, type ErrorCode } from "../../catalog/errors.ts";
import { lazy } from "../../lib/lazy.ts";
import { prefersPage } from "../http/accept.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import type { SessionDeps, WebDeps } from "./deps.ts";

export interface WebSurface {
  /** Sends the page of a problem, `GET /problems/<code>`. */
  problem(exchange: Exchange, code: ErrorCode): Promise<void>;
}

/** Adds the pages to the shell. Their code is loaded by the first request of one. */
export function addWeb(http: Http, deps: WebDeps): WebSurface {
  const handlers = lazy(async () => (await import("./handlers.ts")).createHandlers(http, deps));

  const handle =
    (
      name:
        | "home"
        | "signIn"
        | "tool"
        | "pipelines"
        | "definition"
        | "settings"
        | "operator"
        | "file"
        | "build",
    ): Handler =>
    async (exchange) =>
      (await handlers())[name](exchange);

  http.route({ path: "/", methods: { GET: handle("home") }, page: true });
  http.route({ path: "/sign-in", methods: { GET: handle("signIn") }, page: true });
  http.route({ path: "/tools/:slug", methods: { GET: handle("tool") }, page: true });
  http.route({ path: "/pipelines", methods: { GET: handle("pipelines") }, page: true });
  http.route({ path: "/settings/:page", methods: { GET: handle("settings") }, page: true });
  http.route({ path: "/operator/:page", methods: { GET: handle("operator") }, page: true });
  http.route({ path: "/web/tools/:slug", methods: { GET: handle("definition") } });
  http.route({ path: "/web/build", methods: { GET: handle("build") } });
  http.route({ path: "/web/:file", methods: { GET: handle("file") } });
  http.showRefusals((exchange, error) => {
    if (!(error instanceof ToolError) || !isMissing(error) || !isNavigation(exchange.req)) return undefined;
    return handlers().then(({ refuse }) => refuse(exchange, error));
  });
  return { problem: async (exchange, code) => (await handlers()).problem(exchange, code) };
}

/** Adds `/session`, the session of a browser. Its code is loaded by the first request. */
export function addSession(http: Http, deps: SessionDeps): void {
  const handlers = lazy(async () => (await import("./session.ts")).createSessionHandlers(http, deps));

  const handle =
    (name: "show" | "begin" | "end"): Handler =>
    async (exchange) =>
      (await handlers())[name](exchange);

  http.route({
    path: "/session",
    methods: { GET: handle("show"), POST: handle("begin"), DELETE: handle("end") },
  });
}

const isMissing = ({ code }: ToolError): boolean => code === "not_found" || code === "unknown_tool";

const isNavigation = ({ method, headers }: Exchange["req"]): boolean =>
  (method === "GET" || method === "HEAD") && prefersPage(headers.accept);
