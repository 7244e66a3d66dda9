import type { HttpDeps } from "../http/deps.ts";
import type { GraphqlPathOptions } from "./openapi/graphql-paths.ts";

/** What the REST surface needs beside the shell. */
export interface RestDeps extends Pick<
  HttpDeps,
  "catalog" | "runner" | "options" | "authenticate" | "monotonic" | "inbox"
> {
  /** Set if GraphQL is served, for the documents that describe this installation. */
  graphql?: GraphqlPathOptions;
}
