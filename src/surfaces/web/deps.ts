import type { ErrorCode, ToolError } from "../../catalog/errors.ts";
import type { Config } from "../../options.ts";
import type { Admin } from "../../operations/admin.ts";
import type { HttpDeps } from "../http/deps.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Link } from "./document.ts";
import type { Markup } from "./markup.ts";
import type { ReferrerPolicy } from "./policy.ts";

/** Dependencies of the pages, beside the shell. */
export interface WebDeps extends Pick<HttpDeps, "catalog" | "options"> {
  graphql: Pick<Config["graphql"], "enabled" | "graphiql">;
  web: Config["web"];
  oidc: Config["oidc"];
  /** The commit of the build; empty if unknown. */
  commit: string;
  /** Returns a file of the build; undefined in a source tree without a build. */
  read?(name: string): Uint8Array | undefined;
}

/** The pages, for the routes that show one. */
export interface WebSurface {
  /** Sends the page of a problem, `GET /problems/<code>`. */
  problem(exchange: Exchange, code: ErrorCode): Promise<void>;
  /** Sends the page of the API, `GET /api`. */
  api(exchange: Exchange, endpoints: readonly Endpoint[]): Promise<void>;
  /** Sends the page of `/sign-in`. */
  signIn(exchange: Exchange): Promise<void>;
  /** Sends a page that is not stored. */
  show(exchange: Exchange, title: string, main: Markup, options?: ShowOptions): Promise<void>;
  /** Shows a refusal to a person, with links to what can be done. */
  refuse(exchange: Exchange, error: ToolError, links: readonly Link[]): Promise<void>;
}

export interface ShowOptions {
  /** 200 unless given. */
  status?: number;
  /** `no-referrer` unless given. */
  referrer?: ReferrerPolicy;
}

/** Dependencies of the sessions of browsers, beside the shell. */
export interface SessionDeps extends Pick<
  HttpDeps,
  "authenticate" | "refusals" | "options" | "log" | "runtime"
> {
  web: Config["web"];
  oidc: Config["oidc"];
  proxyAuth: Config["proxyAuth"];
  server: Pick<Config["server"], "trustedProxies">;
  pages: WebSurface;
  admin(): Promise<Admin>;
}
