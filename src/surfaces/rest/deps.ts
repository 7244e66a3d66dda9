import type { HttpDeps } from "../http/deps.ts";
import type { GraphqlPathOptions } from "./openapi/graphql-paths.ts";
import type { ShowApi } from "./openapi.ts";
import type { ShowProblem } from "./problem-pages.ts";

/** Dependencies of the REST surface, beside the shell. */
export interface RestDeps extends Pick<
  HttpDeps,
  "catalog" | "runner" | "options" | "authenticate" | "runtime" | "inbox"
> {
  /** Set if GraphQL is served; the documents describe it. */
  graphql?: GraphqlPathOptions;
  /** Set if agents are served; the documents describe it. */
  mcp?: object;
  /** Set if pages are served. */
  showProblem?: ShowProblem;
  /** Set if pages are served. */
  showApi?: ShowApi;
}
