import type { Config } from "../../options.ts";
import type { HttpDeps } from "../http/deps.ts";

/** Dependencies of the MCP surface, beside the shell. */
export interface McpDeps extends Pick<
  HttpDeps,
  "options" | "catalog" | "runner" | "authenticate" | "metrics" | "runtime"
> {
  mcp: Config["mcp"];
}
