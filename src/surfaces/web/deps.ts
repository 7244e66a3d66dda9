import type { Config } from "../../options.ts";
import type { Admin } from "../../services/admin/admin.ts";
import type { HttpDeps } from "../http/deps.ts";

/** Dependencies of the pages, beside the shell. */
export interface WebDeps extends Pick<HttpDeps, "catalog" | "options"> {
  graphql: Pick<Config["graphql"], "enabled" | "graphiql">;
  /** The commit of the build; empty if unknown. */
  commit: string;
  /** Returns a file of the build; undefined in a source tree without a build. */
  read?(name: string): Uint8Array | undefined;
}

/** Dependencies of the sessions of browsers, beside the shell. */
export interface SessionDeps extends Pick<HttpDeps, "authenticate" | "refusals"> {
  web: Pick<Config["web"], "insecureCookies">;
  admin(): Promise<Admin>;
}
