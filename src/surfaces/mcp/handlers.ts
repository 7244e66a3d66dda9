import type { CatalogTool } from "../../catalog/catalog.ts";
import { ToolError } from "../../catalog/errors.ts";
import { lazy } from "../../lib/lazy.ts";
import type { Http } from "../http/http.ts";
import { parseQuery } from "../http/query.ts";
import { compactTools } from "./compact-tools.ts";
import type { McpDeps } from "./deps.ts";
import { flatTools } from "./flat-tools.ts";
import { createTransport, type McpHandlers } from "./http-transport.ts";
import { createProtocol, type Protocol } from "./protocol/protocol.ts";
import { toService } from "./service.ts";
import type { Caller } from "./tool.ts";

/** Selections of tools that are kept; a client uses one. */
const keptSelections = 64;

export function createHandlers(http: Http, deps: McpDeps): McpHandlers {
  const tools = lazy(() => deps.catalog.all());
  const protocols = new Map<string, Protocol<Caller>>();
  let compact: Protocol<Caller> | undefined;

  const toProtocol = (all: readonly CatalogTool[], selection: string | undefined): Protocol<Caller> =>
    createProtocol(
      toService(selection === undefined ? compactTools(deps, all) : flatTools(deps, all, selection), {
        version: deps.options.version,
        isPublic: deps.options.anonymous,
        runtime: deps.runtime,
      }),
    );

  /** Returns the protocol with the tools that the URL selects. @throws ToolError invalid_input, unknown_field */
  async function protocolFor(query: string): Promise<Protocol<Caller>> {
    const selection = query === "" ? undefined : selectionOf(query);
    if (selection === undefined) return (compact ??= toProtocol(await tools(), undefined));
    let protocol = protocols.get(selection);
    if (protocol === undefined) {
      protocol = toProtocol(await tools(), selection);
      if (protocols.size >= keptSelections) protocols.clear();
      protocols.set(selection, protocol);
    }
    return protocol;
  }

  return createTransport(http, deps, protocolFor);
}

/** @throws ToolError */
function selectionOf(query: string): string | undefined {
  const pairs = parseQuery(query);
  const [first, second] = pairs;
  const strange = pairs.find(([name]) => name !== "tools");
  if (strange !== undefined || second !== undefined)
    throw new ToolError("invalid_input", "The URL takes one parameter, tools, such as ?tools=json,lint.");
  return first?.[1];
}
